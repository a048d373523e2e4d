/** Thrown by a replay for a request that was not recorded: the harness gets an error that says so. */
export class CassetteMiss extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CassetteMiss';
  }
}
