import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

// A webhook's address is a member's to choose, and our server stands inside somebody's network: what it connects to is
// checked when it connects, on the very addresses that are connected to, so that no name can change its mind in between.

/** Which addresses a webhook may lead to. */
export interface Reach {
  /** `ALLOW_PRIVATE_WEBHOOKS`: those of the operator's own network as well. */
  readonly allowsPrivate: boolean;
  /** Plain HTTP leads to the operator's own network alone: on the way to anywhere else the address, a secret, could be read. */
  readonly isEncrypted: boolean;
}

/** A connection that was not made, because of where it would have led. The message names no address. */
export class AddressRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefusedError';
  }
}

/** Where an address is. `forbidden`: nobody's webhook is there, whatever the operator allows, but the credentials of the
 *  machine we run on may be. */
export type AddressKind = 'public' | 'private' | 'forbidden';

/** Addresses of the own network, by ipaddr.js's names of ranges. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/** Where clouds answer their machines outside the link-local range: AWS over IPv6, Azure's host, Alibaba. */
const metadataServices: ReadonlySet<string> = new Set(['fd00:ec2::254', '168.63.129.16', '100.100.100.200']);

/** Where the unicast addresses of the Internet are (RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The well-known prefix, behind which a network without IPv4 reaches the Internet's. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Tells where an address is.
 *  @param address IPv4 or IPv6, in any spelling of its own */
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

/** A lookup for `net.connect` that answers only where every address of the name may be connected to. */
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

/** Checks a host that is an address already, for which nothing is looked up.
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

/** The IPv4 address that an IPv6 address stands for: mapped (RFC 4291) or behind NAT64 (RFC 6052). */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (!address.match(nat64)) return null;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
