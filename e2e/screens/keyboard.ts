import { expect, type Locator, type Page } from '@playwright/test';

/** Maximum number of presses of Tab between two related elements; no page needs more. */
const MAX_TAB_STOPS = 80;

/** The focused element, and whether its focus is visible. */
const describeFocus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    // After the last element of the page, the browser focuses its own controls, and then the first element again.
    if (!element || element === document.body) return { name: 'nothing', isSeen: true };
    const tags = (at: Element): boolean => {
      const { boxShadow, outlineStyle } = getComputedStyle(at);
      return boxShadow !== 'none' || outlineStyle !== 'none';
    };
    // The focus of a radio button, a check box or an editor may be drawn by an element close around it.
    const around: Element[] = [];
    for (let at: Element | null = element; at && around.length < 6; at = at.parentElement) {
      if (at.getAttribute('role') === 'dialog') break;
      around.push(at);
    }
    const box = element.getBoundingClientRect();
    const isInWindow = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    const name = element.getAttribute('aria-label') ?? element.textContent?.slice(0, 60) ?? '';
    return {
      name: `<${element.localName}> ${name}`,
      isSeen: isInWindow && around.some(tags),
    };
  });

/** Moves through a page with the keyboard, and expects that the focus is always visible. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  press(...keys: readonly string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Presses Tab (or another key) until an element has the focus, and expects that the focus is always visible. */
  async to(target: Locator, key = 'Tab'): Promise<void> {
    await target.waitFor();
    const unseen: string[] = [];
    for (let stops = 0; stops <= MAX_TAB_STOPS; stops++) {
      if (stops > 0) {
        const { name, isSeen } = await describeFocus(this.page);
        if (!isSeen) unseen.push(name);
      }
      if (await target.evaluate((element) => element === document.activeElement)) {
        expect(unseen, 'stops whose focus cannot be seen').toEqual([]);
        return;
      }
      await this.page.keyboard.press(key);
    }
    throw new Error(`${MAX_TAB_STOPS} times ${key} did not lead to ${target}.`);
  }

  /** Moves the focus to an element and presses Enter. */
  async enter(target: Locator): Promise<void> {
    await this.to(target);
    await this.press('Enter');
  }

  /** Opens the focused select, types a text to filter its options, and chooses the remaining option. */
  async pick(select: Locator, option: string, typed = ''): Promise<void> {
    await this.to(select);
    await this.press('ArrowDown');
    const wanted = this.page.getByRole('option', { name: option, exact: true });
    await wanted.waitFor();
    // The component library selects an option in a timer that starts with the list, and would undo an earlier key.
    const timers = () => this.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    const isChosen = async () => (await wanted.getAttribute('data-combobox-selected')) !== null;
    await timers();
    if (typed !== '') await this.type(typed);
    for (let steps = 0; steps < MAX_TAB_STOPS; steps++) {
      if (await isChosen()) {
        await timers();
        if (await isChosen()) break;
      }
      await this.press('ArrowDown');
    }
    await this.press('Enter');
    await expect(wanted).toBeHidden();
  }
}
