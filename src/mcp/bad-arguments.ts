/** Arguments that fit the schema and still make no sense: the message names the argument, its value and the remedy. */
export class BadArguments extends Error {
  /** The argument that the message is about; null when it is about several. */
  readonly field: string | null;

  constructor(message: string, field: string | null = null) {
    super(message);
    this.name = 'BadArguments';
    this.field = field;
  }
}
