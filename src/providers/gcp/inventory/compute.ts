import { GoogleFault } from '../faults.ts';
import { type GoogleSession, pagesOf } from '../session.ts';
import { lastPartOf } from './search.ts';

// Lists of Compute Engine with only the fields that recommendations need. `fields` prevents the rest from being sent: of a
// machine's metadata, which contains scripts and secrets, only the names of its entries arrive.

/** Compute Engine resources, by kind. */
export interface ComputeLists {
  readonly instances: readonly Instance[];
  readonly disks: readonly Disk[];
  readonly addresses: readonly Address[];
  readonly snapshots: readonly Snapshot[];
  readonly commitments: readonly Commitment[];
  readonly reservations: readonly Reservation[];
  /** Missing list permissions in this project. */
  readonly denied: readonly string[];
}

interface Named {
  id?: string;
  name?: string;
  selfLink?: string;
}

export interface Instance extends Named {
  status?: string;
  machineType?: string;
  lastStartTimestamp?: string;
  lastStopTimestamp?: string;
  lastSuspendedTimestamp?: string;
  metadata?: { items?: { key?: string }[] };
}

export interface Disk extends Named {
  status?: string;
  sizeGb?: string;
  type?: string;
  users?: string[];
  lastAttachTimestamp?: string;
  lastDetachTimestamp?: string;
  creationTimestamp?: string;
  provisionedIops?: string;
  provisionedThroughput?: string;
}

export interface Address extends Named {
  status?: string;
  users?: string[];
}

export interface Snapshot extends Named {
  status?: string;
  diskSizeGb?: string;
  sourceDisk?: string;
}

export interface Commitment extends Named {
  status?: string;
  plan?: string;
  type?: string;
  category?: string;
  region?: string;
  startTimestamp?: string;
  endTimestamp?: string;
  autoRenew?: boolean;
  resources?: { type?: string; amount?: string; acceleratorType?: string }[];
}

export interface Reservation extends Named {
  status?: string;
  zone?: string;
  commitment?: string;
  creationTimestamp?: string;
  specificReservation?: { count?: string; inUseCount?: string; instanceProperties?: { machineType?: string } };
}

const fieldsOf = {
  instances:
    'id,name,selfLink,status,machineType,lastStartTimestamp,lastStopTimestamp,lastSuspendedTimestamp,metadata/items/key',
  disks:
    'id,name,selfLink,status,sizeGb,type,users,lastAttachTimestamp,lastDetachTimestamp,creationTimestamp,provisionedIops,provisionedThroughput',
  addresses: 'id,name,selfLink,status,users',
  snapshots: 'id,name,selfLink,status,diskSizeGb,sourceDisk',
  commitments:
    'id,name,selfLink,status,plan,type,category,region,startTimestamp,endTimestamp,autoRenew,resources(type,amount,acceleratorType)',
  reservations:
    'id,name,selfLink,status,zone,commitment,creationTimestamp,specificReservation(count,inUseCount,instanceProperties/machineType)',
} as const;

type Kind = keyof typeof fieldsOf;

/** Lists a project's Compute Engine resources.
 *  @throws {TryLater} when any list is temporarily unreadable
 *  @throws {AppError} VALIDATION_ERROR when paging never ends */
export async function listCompute(session: GoogleSession, project: string, signal: AbortSignal): Promise<ComputeLists> {
  const denied: string[] = [];
  const list = async <T>(kind: Kind): Promise<T[]> => {
    try {
      return await listKind<T>(session, project, kind, signal);
    } catch (error) {
      if (!(error instanceof GoogleFault)) throw error;
      // A disabled API has nothing to list.
      if (error.isDenied && !/^(SERVICE_DISABLED|accessNotConfigured)$/.test(error.reason))
        denied.push(`compute.${kind}.list`);
      return [];
    }
  };
  const [instances, disks, addresses, snapshots, commitments, reservations] = await Promise.all([
    list<Instance>('instances'),
    list<Disk>('disks'),
    list<Address>('addresses'),
    list<Snapshot>('snapshots'),
    list<Commitment>('commitments'),
    list<Reservation>('reservations'),
  ]);
  return { instances, disks, addresses, snapshots, commitments, reservations, denied: denied.sort() };
}

async function listKind<T>(session: GoogleSession, project: string, kind: Kind, signal: AbortSignal): Promise<T[]> {
  const isGlobal = kind === 'snapshots';
  const place = isGlobal ? 'global/snapshots' : `aggregated/${kind}`;
  const url = new URL(`https://compute.googleapis.com/compute/v1/projects/${project}/${place}`);
  url.searchParams.set('maxResults', '500');
  url.searchParams.set('fields', `nextPageToken,items${isGlobal ? '' : `/*/${kind}`}(${fieldsOf[kind]})`);
  const found: T[] = [];
  for await (const page of pagesOf<{ items?: unknown; nextPageToken?: string }>(session, url, signal))
    found.push(...itemsOf<T>(page.items, kind));
  return found;
}

/** Aggregated lists are grouped by location: `{"zones/europe-west1-b": {"disks": […]}}`. */
function itemsOf<T>(items: unknown, kind: Kind): T[] {
  if (Array.isArray(items)) return items;
  if (typeof items !== 'object' || items === null) return [];
  return Object.values(items).flatMap((each: Partial<Record<Kind, T[]>>) => each[kind] ?? []);
}

/** Returns the full resource name of a link: `//compute.googleapis.com/projects/…`; empty text for none. */
export function fullNameOf(link: string | undefined): string {
  const [, path] = /\/(projects\/.+)$/.exec(link ?? '') ?? [];
  return path === undefined ? '' : `//compute.googleapis.com/${path}`;
}

/** Returns the last part of a link: `n1-standard-4` for a machine type. */
export function shortOf(link: string | undefined): string | undefined {
  return link === undefined ? undefined : lastPartOf(link);
}
