/** The type of a resource by its full name, as Cloud Asset Inventory calls it: `compute.googleapis.com/Disk` for
 *  `//compute.googleapis.com/projects/p/zones/z/disks/d`. Empty where the name does not say.
 *  https://cloud.google.com/asset-inventory/docs/resource-name-format */
export function resourceTypeOf(name: string): string {
  const [, host, path] = /^\/\/([a-z0-9.-]+\.googleapis\.com)\/(.+)$/.exec(name) ?? [];
  const collection = path?.split('/').at(-2) ?? (host === 'storage.googleapis.com' ? 'buckets' : undefined);
  if (host === undefined || collection === undefined || !/^[a-zA-Z]+$/.test(collection)) return '';
  const one = singular(collection);
  return `${host}/${one.charAt(0).toUpperCase()}${one.slice(1)}`;
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/s$/, '');
}

/** The last part of a full name or URL. */
export function lastPartOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
