import ipaddr from 'ipaddr.js';
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

// Protects the operator's network from requests to addresses that others choose. Addresses are checked on connect, on the very
// addresses used, so that DNS rebinding cannot bypass the check.

/** Allowed destinations of a request. */
export interface Reach {
  /** Also allows the operator's own network. */
  readonly allowsPrivate: boolean;
  /** Plain HTTP is allowed only inside the operator's own network: anywhere else the request could be read or
   *  changed in transit. */
  readonly isEncrypted: boolean;
}

/** A connection refused because of its destination. The message contains no address. */
export class AddressRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefusedError';
  }
}

/** Location of an address. `forbidden`: never a destination, whatever the operator allows, because it may be the metadata
 *  service, which returns this machine's credentials. */
export type AddressKind = 'public' | 'private' | 'forbidden';

/** Names in ipaddr.js of the ranges inside the operator's own network. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/** Cloud metadata services outside the link-local range: AWS and Google Cloud over IPv6, Azure's host, Alibaba. */
const metadataServices: ReadonlySet<string> = new Set([
  'fd00:ec2::254',
  'fd20:ce::254',
  '168.63.129.16',
  '100.100.100.200',
]);

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
