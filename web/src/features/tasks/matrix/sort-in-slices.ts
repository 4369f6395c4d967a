/** Number of items that are sorted or merged between two pauses. */
const SLICE = 500;

/** Merges two sorted lists. */
function* merged<Item>(
  a: readonly Item[],
  b: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, Item[]> {
  const items: Item[] = [];
  let [left, right] = [0, 0];
  while (left < a.length && right < b.length) {
    if (items.length % SLICE === SLICE - 1) yield;
    if (compare(a[left] as Item, b[right] as Item) <= 0) items.push(a[left++] as Item);
    else items.push(b[right++] as Item);
  }
  return items.concat(a.slice(left), b.slice(right));
}

/** Sorts a list with pauses, so that a long one does not block the page. Equal items keep their order. */
export function* sortInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += SLICE) {
    runs.push(items.slice(from, from + SLICE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const next: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) next.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = next;
  }
  return runs[0] ?? [];
}
