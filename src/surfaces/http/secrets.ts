/** Whether a value with this name may be a secret: passwords, tokens, codes, keys, credentials, passkey responses,
 *  and webhook URLs. Errors name such a field but never repeat its value. Accepts any spelling, and paths such as
 *  `credentials.role_arn`. */
export function isSecretName(name: string): boolean {
  return /password|token|secret|credential|(^|[._a-z])code(?![a-z])|^response\b|webhook|^url$/i.test(name);
}

/** A JSON parser's message without the excerpt of the body that V8 quotes. */
export function withoutQuote(message: string): string {
  return message.replace(/, (?:\.{3})?"[^]*$/, '');
}
