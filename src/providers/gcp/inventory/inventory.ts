import { AppError } from '../../../kit/errors/errors.ts';
import type { InventoryItem, InventorySource, KeepItems } from '../../contract.ts';
import { TryLater } from '../../faults.ts';
import { listCompute } from './compute.ts';
import { commitmentItem, type Known, metadataOf, reservationItem } from './compute-metadata.ts';
import { GoogleFault } from '../faults.ts';
import { type GoogleSession, pagesOf } from '../session.ts';
import {
  aliasesOf,
  deniedSearch,
  itemOf,
  lastPartOf,
  type SearchPage,
  type SearchResult,
  searchUrl,
} from './search.ts';

/** Compute Engine data of a project. */
interface Project {
  readonly known: ReadonlyMap<string, Known>;
  /** Items listed separately from the search, by their names in bills. */
  readonly items: readonly InventoryItem[];
  readonly denied: readonly string[];
}

/** Lists the resources in projects, folders or organizations with Cloud Asset Inventory; for machines, disks, addresses,
 *  snapshots and commitments also with their state from Compute Engine. */
export function cloudAssets(session: GoogleSession, scopes: readonly string[]): InventorySource {
  return {
    async list(keep, signal) {
      const projects = new Map<string, Project>();
      const refused: string[] = [];
      const unread: string[] = [];
      for (const scope of scopes) {
        const fault = await listScope(session, scope, { projects, keep, signal });
        if (fault === null) continue;
        refused.push(deniedSearch(fault, session, scope));
        unread.push(`^${scope.replaceAll('.', '[.]')}$`);
      }
      if (refused.length === scopes.length) throw new AppError('VALIDATION_ERROR', refused[0] ?? 'No scope is set');
      return { warnings: [...refused, ...deniedWarnings(session, projects)], unread };
    },
  };
}

interface Listing {
  readonly projects: Map<string, Project>;
  readonly keep: KeepItems;
  readonly signal: AbortSignal;
}

/** @returns Google's error for the scope as a whole
 *  @throws {TryLater} when it fails midway: missing resources would count as deleted */
async function listScope(session: GoogleSession, scope: string, listing: Listing): Promise<GoogleFault | null> {
  let pages = 0;
  try {
    for await (const page of pagesOf<SearchPage>(session, searchUrl(scope, 500), listing.signal)) {
      const items = await itemsOfPage(session, page, listing);
      if (items.length > 0) await listing.keep(items, scope);
      pages++;
    }
    return null;
  } catch (error) {
    if (!(error instanceof GoogleFault)) throw error;
    if (pages > 0) throw new TryLater(`Google Cloud stopped listing the resources of ${scope}: ${error.message}`);
    return error;
  }
}

async function itemsOfPage(
  session: GoogleSession,
  { results = [] }: SearchPage,
  { projects, signal }: Listing,
): Promise<InventoryItem[]> {
  const items: (InventoryItem | null)[] = [];
  for (const result of results) {
    const id = projectIn(result);
    const isNew = id !== null && !projects.has(id);
    const project = isNew ? await lookInto(session, id, signal) : projects.get(id ?? '');
    if (isNew && project) projects.set(id, project);
    items.push(...(isNew && project ? project.items : []), id === null ? itemOf(result) : withKnown(result, project));
  }
  return items.filter((item) => item !== null);
}

/** Returns the project of a Compute Engine resource; null for any other. */
function projectIn({ name = '' }: SearchResult): string | null {
  return /^\/\/compute\.googleapis\.com\/projects\/([a-z0-9.:-]+)\//.exec(name)?.[1] ?? null;
}

async function lookInto(session: GoogleSession, project: string, signal: AbortSignal): Promise<Project> {
  const lists = await listCompute(session, project, signal);
  return {
    known: metadataOf(lists),
    items: [...lists.commitments.map(commitmentItem), ...lists.reservations.map(reservationItem)],
    denied: lists.denied,
  };
}

const listedApart: Readonly<Record<string, string>> = {
  'compute.googleapis.com/Commitment': 'compute.commitments.list',
  'compute.googleapis.com/Reservation': 'compute.reservations.list',
};

function withKnown(result: SearchResult, project: Project | undefined): InventoryItem | null {
  const permission = listedApart[result.assetType ?? ''];
  if (permission !== undefined && project?.denied.includes(permission) === false) return null;
  const item = itemOf(result);
  const known = project?.known.get(item?.nativeId ?? '');
  if (item === null || known === undefined) return item;
  return {
    ...item,
    aliases: aliasesOf(item.nativeId, lastPartOf(result.project ?? ''), known.id),
    metadata: { ...item.metadata, ...known.metadata },
  };
}

/** Returns one sentence per permission, however many projects lack it. */
function deniedWarnings(session: GoogleSession, projects: ReadonlyMap<string, Project>): string[] {
  const byPermission = new Map<string, string[]>();
  for (const [id, { denied }] of projects)
    for (const permission of denied) byPermission.set(permission, [...(byPermission.get(permission) ?? []), id]);
  return [...byPermission].map(([permission, ids]) => {
    const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
    return `Service account ${session.clientEmail} lacks ${permission} in ${ids.slice(0, 3).join(', ')}${more}: the inventory has less detail`;
  });
}
