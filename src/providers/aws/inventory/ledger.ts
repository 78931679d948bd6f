import { invalid } from '../../../kit/errors/errors.ts';
import { TryLater } from '../../faults.ts';
import { AwsFault } from '../faults.ts';
import { allowedOperations } from '../operations.ts';

/** A kind of resource to list. */
export interface Kind {
  /** What the inventory lacks without it: `EBS volumes`. */
  readonly label: string;
  /** Not every region has the service, so an unknown host is not an error. */
  readonly isRegional?: true;
  /** Regional list that names the resources, `ec2:volume`; absent: it names none. */
  readonly list?: string;
  /** Lists that cannot be read without it, as a regular expression over `listIn` names. */
  readonly hides?: string;
}

/** Returns the name of a regional list. Neither part contains regular expression metacharacters. */
export function listIn(region: string, list: string): string {
  return `${region}/${list}`;
}

/** Tracks what could not be read, and why: it is omitted and reported, and the rest is listed. */
export interface Ledger {
  /** Reads a kind in a region.
   *  @returns null on a permanent error: permission denied, or request rejected
   *  @throws {TryLater} on a temporary error: an incomplete listing would make missing resources count as deleted */
  read<T>(kind: Kind, region: string, work: () => Promise<T>): Promise<T | null>;
  /** Adds a warning. */
  note(warning: string): void;
  /** Marks lists of a region as covered by another list. */
  replace(region: string, lists: readonly string[]): void;
  /** Returns the lists that could not be read: see `ListingEnd`. */
  unread(): string[];
  /** Returns one sentence per omitted kind.
   *  @throws {AppError} VALIDATION_ERROR when nothing could be read */
  warnings(): string[];
}

/** Error codes of a service that is unavailable for the account or in the region. */
const absent =
  /^(OptInRequired|SubscriptionRequiredException|UnsupportedOperation|UnsupportedOperationException|InvalidAction|UnknownOperationException|UnrecognizedServiceException|DisabledOperationException)$/;

interface Refusal {
  readonly kind: Kind;
  readonly reason: string;
  readonly regions: string[];
}

function exactly(pattern: string): string {
  return `^(${pattern})$`;
}

export function openLedger(): Ledger {
  const refusals = new Map<string, Refusal>();
  const notes = new Set<string>();
  const unread = new Set<string>();
  let answers = 0;
  return {
    async read(kind, region, work) {
      try {
        const found = await work();
        answers += 1;
        return found;
      } catch (error) {
        if (isAbsent(error, kind)) return null;
        if (!(error instanceof AwsFault)) throw error;
        const reason = reasonOf(error);
        const refusal = refusals.get(kind.label + reason) ?? { kind, reason, regions: [] };
        refusal.regions.push(region);
        refusals.set(kind.label + reason, refusal);
        if (kind.list !== undefined) unread.add(exactly(listIn(region, kind.list)));
        if (kind.hides !== undefined) unread.add(exactly(kind.hides));
        return null;
      }
    },
    note: (warning) => void notes.add(warning),
    replace(region, lists) {
      for (const list of lists) unread.delete(exactly(listIn(region, list)));
    },
    unread: () => [...unread].toSorted(),
    warnings() {
      const refused = [...refusals.values()].map(sentence).toSorted();
      if (answers === 0 && refused.length > 0) throw invalid`AWS denies access to the inventory. ${refused.join(' ')}`;
      // Sorted, because regions respond in any order.
      return [...[...notes].toSorted(), ...refused];
    },
  };
}

function isAbsent(error: unknown, { isRegional }: Kind): boolean {
  if (error instanceof AwsFault) return absent.test(error.code);
  // The SDK derives regional host names, whether or not the service exists there.
  return isRegional === true && error instanceof TryLater && error.networkCode === 'ENOTFOUND';
}

function reasonOf(error: AwsFault): string {
  if (!error.isDenied) return `AWS refused ${error.operation} (${error.code}): ${error.message.slice(0, 300)}`;
  const permission = permissionOf(error.operation);
  return /service control policy/i.test(error.message)
    ? `a service control policy of the organization denies ${permission}; allow it there, or do not use the region`
    : `allow ${permission} in the policy of the role or user`;
}

/** Returns the permission of an operation.
 *  @param operation as in an AwsFault: `EC2 DescribeVolumes` */
export function permissionOf(operation: string): string {
  const [service, name] = operation.split(' ');
  return allowedOperations[`${service}Client.${name}Command`] ?? operation;
}

function sentence({ kind, reason, regions }: Refusal): string {
  return `The inventory lacks ${kind.label} (${places(regions)}): ${reason}.`;
}

function places(regions: readonly string[]): string {
  const [first = '', second, ...rest] = regions.toSorted();
  if (second === undefined) return first;
  if (rest.length === 0) return `${first} and ${second}`;
  return `${first} and ${regions.length - 1} more regions`;
}
