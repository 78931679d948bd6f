import { createHash } from 'node:crypto';

/** The id of an invoice, derived as in SQL.
 *  @param parts account, first day of the billing month, issuer, invoice number and currency */
export function invoiceId(...parts: readonly [string, string, string, string, string]): string {
  const hex = createHash('md5').update(parts.join('\u001f')).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
