import { invalid } from '../../../kit/errors.ts';
import { AddressRefusedError, checkLiteral } from './address.ts';

const urlCharacters = 2_000;

/** Reads the address of a webhook. No message repeats it: it is a secret.
 *  @param reach `allowsPrivate`: plain http, and addresses of the operator's own network, are taken too
 *  @throws {AppError} VALIDATION_ERROR */
export function parseWebhookUrl(text: string, reach: { readonly allowsPrivate: boolean }): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const protocols = reach.allowsPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !protocols.includes(url.protocol) || text.length > urlCharacters)
    throw invalid(
      'url must be an https address such as https://hooks.slack.com/services/…; what was sent is not repeated',
    );
  if (url.username || url.password)
    throw invalid('url must hold no user name and no password; what was sent is not repeated');
  try {
    checkLiteral(url.hostname, { ...reach, isEncrypted: url.protocol === 'https:' });
  } catch (error) {
    if (error instanceof AddressRefusedError) throw invalid(`url cannot be used: ${error.message}`);
    throw error;
  }
  url.hash = '';
  return url.href;
}
