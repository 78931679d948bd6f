import { invalid } from '../../../kit/errors.ts';
import { TryLater } from '../../faults.ts';
import { AwsFault } from '../faults.ts';
import { allowedOperations } from '../operations.ts';

/** Something that is listed. */
export interface Kind {
  /** What is missing without it: `EBS volumes`. */
  readonly label: string;
  /** Not every region has the service: a host that nobody knows is no failure. */
  readonly isRegional?: true;
  /** The list of a region that names them, `ec2:volume`; absent: it names no resources of its own. */
  readonly list?: string;
  /** Lists that cannot be read without it, as a regular expression over what `listIn` answers. */
  readonly hides?: string;
}

/** The name of a list of a region. Neither part has signs that regular expressions know. */
export function listIn(region: string, list: string): string {
  return `${region}/${list}`;
}

/** Keeps what could not be read, and why: it is left out and told of, while the rest is listed. */
export interface Ledger {
  /** Reads a kind in a region.
   *  @returns null when it could not be read for good: its permission is denied, or the request refused
   *  @throws {TryLater} when it cannot be read for now: a listing with a hole would say that what is missing is gone */
  read<T>(kind: Kind, region: string, work: () => Promise<T>): Promise<T | null>;
  /** Adds a sentence of its own. */
  note(warning: string): void;
  /** Another list names what these of a region would have named. */
  replace(region: string, lists: readonly string[]): void;
  /** Lists that could not be read: see `ListingEnd`. */
  unread(): string[];
  /** One sentence for each kind that was left out.
   *  @throws {AppError} VALIDATION_ERROR when nothing was read at all */
  warnings(): string[];
}

/** Answers of a service that is not there for the account, or not in the region. */
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
      if (answers === 0 && refused.length > 0)
        throw invalid`AWS lets nothing of the inventory be read. ${refused.join(' ')}`;
      // Regions answer in any order.
      return [...[...notes].toSorted(), ...refused];
    },
  };
}

function isAbsent(error: unknown, { isRegional }: Kind): boolean {
  if (error instanceof AwsFault) return absent.test(error.code);
  // The SDK makes host names of regions by a rule, whether or not the service is there.
  return isRegional === true && error instanceof TryLater && error.networkCode === 'ENOTFOUND';
}

function reasonOf(error: AwsFault): string {
  if (!error.isDenied) return `AWS refused ${error.operation} (${error.code}): ${error.message.slice(0, 300)}`;
  const permission = permissionOf(error.operation);
  return /service control policy/i.test(error.message)
    ? `a service control policy of the organization denies ${permission}; let it allow that, or leave the region out of use`
    : `allow ${permission} in the policy of the role or user`;
}

/** The permission that an operation takes.
 *  @param operation as an AwsFault names it: `EC2 DescribeVolumes` */
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
