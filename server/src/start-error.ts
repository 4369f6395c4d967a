/** An error that ends a command, with one sentence for the terminal. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
