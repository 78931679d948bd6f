/** Whether what is sent under this name may be a secret: passwords, tokens, codes, keys, credentials, a passkey's answer, and the
 *  address of a webhook.
 *  A refusal names such a field and never repeats its value. Any spelling, and a path such as `credentials.role_arn`. */
export function isSecretName(name: string): boolean {
  return /password|token|secret|credential|(^|[._a-z])code(?![a-z])|^response\b|webhook|^url$/i.test(name);
}

/** What a JSON parser says without the piece of the body that V8 quotes. */
export function withoutQuote(message: string): string {
  return message.replace(/, (?:\.{3})?"[^]*$/, '');
}
