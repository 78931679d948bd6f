/** Arguments that fit the schema and still make no sense: the message names the argument, its value and the remedy. */
export class BadArguments extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadArguments';
  }
}
