import { isIPv6 } from 'node:net';
import type { RateCategory } from '../../kit/config.ts';

/** Whose budget a request counts against, and which. */
export interface Budget {
  readonly category: RateCategory;
  readonly identity: string;
}

/** Signing in counts by address, and so does everything that nobody is signed in for; the rest counts by user.
 *  @param userId null when nobody is signed in */
export function budgetOf(category: RateCategory, userId: string | null, ipAddress: string): Budget {
  if (category === 'auth' || userId === null) return { category: 'auth', identity: `ip:${networkOf(ipAddress)}` };
  return { category, identity: `user:${userId}` };
}

/** An IPv6 subscriber holds a whole /64, so that counts as one address; IPv4 counts as it is. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const bare = address.split('%', 1)[0] ?? address;
  if (!isIPv6(bare)) return address;
  const [head = '', tail] = bare.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}
