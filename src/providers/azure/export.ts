import { arg, fix, invalid } from '../../kit/errors.ts';
import type { CostSource } from '../contract.ts';
import { type StoragePlace, checkStorage, storageSource } from '../focus/storage.ts';
import { planAzureExports } from '../layouts/azure-export.ts';
import type { ListedFile, ReadText } from '../layouts/listing.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** Where Cost Management delivers: a container, from a folder on.
 *  @param prefix without slashes at its ends; '' for the whole container */
export function exportPlace(store: ObjectStore, prefix: string): StoragePlace {
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  return { store, prefix: folder === '' ? '' : `${folder}/`, plan: (listing, read) => plan(store.name, listing, read) };
}

/** The exports of Cost Management in a container, by their manifests. Signing in apart, one listing tells whether there is news. */
export function exportSource(place: StoragePlace): CostSource {
  return storageSource(place);
}

/** Looks whether the export can be listed and read, without reading its manifests: they may be hundreds.
 *  @throws as `CostSource.list` */
export async function checkExport(place: StoragePlace, signal: AbortSignal): Promise<void> {
  await checkStorage(place, signal);
  refuseWithoutManifest(place.store.name, await place.store.list(place.prefix, signal));
}

/** A live container is written to while it is listed: what has no manifest yet comes with a later sync, and what no manifest
 *  names is no bill. */
async function plan(name: string, listing: readonly ListedFile[], readText: ReadText) {
  refuseWithoutManifest(name, listing);
  const { files, warnings } = await planAzureExports(listing, readText, 'wait');
  return { files: files.toSorted((a, b) => (a.key < b.key ? -1 : 1)), warnings };
}

function refuseWithoutManifest(name: string, listing: readonly ListedFile[]): void {
  if (listing.some(({ key }) => /(^|\/)manifest\.json$/i.test(key))) return;
  throw invalid`${arg('settings.prefix')} leads to no manifest.json in ${name}${fix}wait for the export's first run, turn on its file partitioning, or correct it`;
}
