import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Config } from '../../../kit/config/config.ts';
import { arg, fix, invalid } from '../../../kit/errors/errors.ts';
import { AddressRefusedError, checkedLookup, checkLiteral } from '../../../kit/network/reach.ts';

// Protects the operator's network from webhooks: members choose their URL, and the server runs inside a network.

/** The operator's webhook settings. */
export type WebhookPolicy = Pick<Config, 'allowPrivateWebhooks' | 'webhookHosts'>;

/** Bounds of a webhook's URL. */
export const webhookRule = { format: 'uri', pattern: '^https://', maxLength: 2_000 } as const;
/** Timeout of address lookups, in ms; slower resolvers count as unavailable. */
const lookupMs = 3_000;

/** Domains that are never public: RFC 6761, RFC 8375, and ICANN's domain for private use. */
const privateDomains = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

/** Checks the URL of a webhook before it is saved: https, a public host name, port 443, unless the operator's
 *  `WEBHOOK_HOSTS` or `ALLOW_PRIVATE_WEBHOOKS` allows more. A name that does not resolve now is accepted, because each
 *  delivery checks the IP addresses again when it connects. No message repeats the URL: it is a secret.
 *  @param resolve the system's resolver by default
 *  @throws {AppError} VALIDATION_ERROR */
export async function parseWebhookUrl(
  text: string,
  policy: WebhookPolicy,
  resolve: LookupFunction = systemLookup,
): Promise<string> {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const protocols = policy.allowPrivateWebhooks ? ['https:', 'http:'] : ['https:'];
  if (!url || !protocols.includes(url.protocol) || text.length > webhookRule.maxLength)
    throw invalid`${arg('url')} must be an https URL such as https://hooks.slack.com/services/…; the value is not shown`;
  if (url.username || url.password)
    throw invalid`${arg('url')} must not contain a user name or a password; the value is not shown`;
  if (!mayBePrivate(url, policy)) checkIsPublic(url);
  await checkAddresses(url, policy, resolve);
  url.hash = '';
  return url.href;
}

/** Returns whether the operator allows a webhook in the private network. */
export function mayBePrivate(url: URL, { allowPrivateWebhooks, webhookHosts }: WebhookPolicy): boolean {
  const host = url.port === '' ? url.hostname : `${url.hostname}:${url.port}`;
  return allowPrivateWebhooks || (url.protocol === 'https:' && webhookHosts.includes(host));
}

function checkIsPublic({ port, hostname }: URL): void {
  if (port !== '')
    throw invalid`${arg('url')} must use port 443, not ${port}${fix}the operator can allow host:port with WEBHOOK_HOSTS`;
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0)
    throw invalid`${arg('url')} must name a host such as hooks.slack.com, not an IP address`;
  if (!hostname.includes('.') || privateDomains.test(hostname))
    throw invalid`${arg('url')} must name a public host such as hooks.slack.com${fix}the operator can allow others with WEBHOOK_HOSTS`;
}

/** Checks the IP addresses of a webhook.
 *  @throws {AppError} VALIDATION_ERROR if the host resolves to an IP address that deliveries would refuse */
async function checkAddresses(url: URL, policy: WebhookPolicy, resolve: LookupFunction): Promise<void> {
  const reach = { allowsPrivate: mayBePrivate(url, policy), isEncrypted: url.protocol === 'https:' };
  try {
    checkLiteral(url.hostname, reach);
    await new Promise<void>((resolved, refused) => {
      const late = setTimeout(resolved, lookupMs);
      checkedLookup(reach, resolve)(url.hostname.replace(/^\[(.*)\]$/, '$1'), { all: true }, (error) => {
        clearTimeout(late);
        return error instanceof AddressRefusedError ? refused(error) : resolved();
      });
    });
  } catch (error) {
    if (error instanceof AddressRefusedError) throw invalid`${arg('url')} cannot be used: ${error.message}`;
    throw error;
  }
}
