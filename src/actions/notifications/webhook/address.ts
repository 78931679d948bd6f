import ipaddr from 'ipaddr.js';
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Config } from '../../../kit/config/config.ts';
import { arg, fix, invalid } from '../../../kit/errors/errors.ts';

// Protects the operator's network from webhooks: members choose their address, and the server runs inside a network. Addresses
// are checked on connect, on the very addresses used, so that DNS rebinding cannot bypass the check.

/** Allowed destinations of a webhook. */
export interface Reach {
  /** `ALLOW_PRIVATE_WEBHOOKS`: also allows the operator's own network. */
  readonly allowsPrivate: boolean;
  /** Plain HTTP is allowed only inside the operator's own network: anywhere else the address, a secret, could be read in
   *  transit. */
  readonly isEncrypted: boolean;
}

/** A connection refused because of its destination. The message contains no address. */
export class AddressRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefusedError';
  }
}

/** Location of an address. `forbidden`: never a webhook, whatever the operator allows, but possibly the metadata service
 *  with this machine's credentials. */
export type AddressKind = 'public' | 'private' | 'forbidden';

/** Names in ipaddr.js of the ranges inside the own network. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/** Cloud metadata services outside the link-local range: AWS over IPv6, Azure's host, Alibaba. */
const metadataServices: ReadonlySet<string> = new Set(['fd00:ec2::254', '168.63.129.16', '100.100.100.200']);

/** Global unicast addresses (RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The well-known NAT64 prefix, through which networks without IPv4 reach IPv4 hosts. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Classifies an address.
 *  @param address IPv4 or IPv6, in any spelling */
export function kindOf(address: string): AddressKind {
  if (!ipaddr.isValid(address)) return 'forbidden';
  const parsed = ipaddr.parse(address);
  if (metadataServices.has(parsed.toString())) return 'forbidden';
  if (parsed instanceof ipaddr.IPv4) return kindOfRange(parsed.range());
  const inner = embedded(parsed);
  if (inner) return kindOf(inner.toString());
  const range = parsed.range();
  if (range === 'unicast') return parsed.match(globalUnicast) ? 'public' : 'forbidden';
  return kindOfRange(range);
}

/** Returns a lookup for `net.connect` that fails unless every address of the name is allowed. */
export function checkedLookup(reach: Reach, resolve: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const addresses: LookupAddress[] = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const refusal = addresses.map(({ address }) => refusalOf(address, reach)).find((reason) => reason !== null);
      const [first] = addresses;
      if (refusal || !first) return callback(new AddressRefusedError(refusal ?? 'its host has no address'), '');
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/** Checks a literal IP address, for which no lookup happens.
 *  @param hostname of a parsed URL, IPv6 in brackets
 *  @throws {AddressRefusedError} */
export function checkLiteral(hostname: string, reach: Reach): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const refusal = isIP(address) === 0 ? null : refusalOf(address, reach);
  if (refusal) throw new AddressRefusedError(refusal);
}

function refusalOf(address: string, { allowsPrivate, isEncrypted }: Reach): string | null {
  const kind = kindOf(address);
  if (kind === 'forbidden' || (kind === 'private' && !allowsPrivate))
    return 'its host resolves to an address that is not public';
  return kind === 'public' && !isEncrypted ? 'it leads to a public address without encryption' : null;
}

function kindOfRange(range: string): AddressKind {
  if (range === 'unicast') return 'public';
  return privateRanges.has(range) ? 'private' : 'forbidden';
}

/** Returns the IPv4 address embedded in an IPv6 address: mapped (RFC 4291) or behind NAT64 (RFC 6052). */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (!address.match(nat64)) return null;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** The operator's webhook settings. */
export type WebhookPolicy = Pick<Config, 'allowPrivateWebhooks' | 'webhookHosts'>;

/** Bounds of a webhook's address. */
export const webhookRule = { format: 'uri', pattern: '^https://', maxLength: 2_000 } as const;
/** Timeout of address lookups, in ms; slower resolvers count as unavailable. */
const lookupMs = 3_000;

/** Domains that are never public: RFC 6761, RFC 8375, and ICANN's domain for private use. */
const privateDomains = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

/** Checks the address of a webhook before it is saved: https, a public host name, port 443, unless the operator's
 *  `WEBHOOK_HOSTS` or `ALLOW_PRIVATE_WEBHOOKS` allows more. A name that does not resolve now is accepted, because each
 *  delivery checks the addresses again when it connects. No message repeats the address: it is a secret.
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
    throw invalid`${arg('url')} must be an https address such as https://hooks.slack.com/services/…; the value is not shown`;
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

/** @throws {AppError} VALIDATION_ERROR if the host resolves to an address that deliveries would refuse */
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
