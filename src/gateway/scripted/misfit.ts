/** The script asks for what the request does not allow; its message, told to the harness, says what and how to mend it. */
export class Misfit extends Error {
  constructor(message: string) {
    super(`scripted model: ${message}`);
    this.name = 'Misfit';
  }
}
