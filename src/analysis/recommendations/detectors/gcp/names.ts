import { sh } from '../script.ts';

/** Returns a Compute Engine resource's location as a gcloud option (`--zone='europe-west1-b'`, `--region=…`, `--global`);
 *  null if its full resource name has none. */
export function placeOption(nativeId: string): string | null {
  const [, kind, place] = /\/projects\/[^/]+\/(zones|regions)\/([^/]+)\//.exec(nativeId) ?? [];
  if (place !== undefined) return kind === 'zones' ? sh`--zone=${place}` : sh`--region=${place}`;
  return /\/projects\/[^/]+\/global\//.test(nativeId) ? '--global' : null;
}

/** Returns whether a full resource name is in a collection (`disks`, `snapshots`, `instances`) of a service. */
export function isOf(nativeId: string, service: RegExp, collection: string): boolean {
  const [, name = ''] = /^\/\/([a-z]+)\.googleapis\.com\//.exec(nativeId) ?? [];
  return service.test(name) && nativeId.split('/').at(-2) === collection;
}

/** Returns whether a full resource name is in a collection of Compute Engine. */
export function isCompute(nativeId: string, collection: string): boolean {
  return isOf(nativeId, /^compute$/, collection);
}

/** Returns a name for something created for a resource; Google's names have at most 63 characters. */
export function nameBeside(name: string, suffix: string): string {
  return `${name.slice(0, 62 - suffix.length)}-${suffix}`;
}
