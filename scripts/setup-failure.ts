/** A set-up step that cannot go on: what is wrong and what to do. Ends the command with exit code 3. */
export class SetupFailure extends Error {
  readonly repair: string;
  constructor(message: string, options: { repair: string; cause?: unknown }) {
    super(message, options);
    this.name = 'SetupFailure';
    this.repair = options.repair;
  }
}

/** Runs a script's main work; a {@link SetupFailure} is printed as error and repair, anything else is a bug and thrown. */
export async function runMain(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    console.error(`error: ${error.message}`);
    console.error(`fix: ${error.repair}`);
    process.exitCode = 3;
  }
}
