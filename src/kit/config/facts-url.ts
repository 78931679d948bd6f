import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Location of the fact files. A prefix has no leading or trailing slash and may be empty. */
export type FactPlace =
  /** Absolute path. */
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string }
  | { readonly kind: 'azure'; readonly account: string; readonly container: string; readonly prefix: string };

/** Reads FACTS_URL: an absolute path, `file:///path`, `s3://bucket/prefix` or `azure://account/container/prefix`.
 *  @returns null for anything else */
export function parseFactsUrl(text: string): FactPlace | null {
  if (path.isAbsolute(text)) return { kind: 'folder', folder: path.resolve(text) };
  const [, scheme, rest = ''] = /^(file|s3|azure):\/\/(.*)$/.exec(text) ?? [];
  if (scheme === 'file') return rest.startsWith('/') ? { kind: 'folder', folder: fileURLToPath(text) } : null;
  const [first = '', ...others] = rest.replace(/\/+$/, '').split('/');
  if (scheme === 's3' && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(first))
    return isPrefix(others) ? { kind: 's3', bucket: first, prefix: others.join('/') } : null;
  const [container = '', ...prefix] = others;
  if (scheme === 'azure' && /^[a-z0-9]{3,24}$/.test(first) && /^[a-z0-9][a-z0-9-]{2,62}$/.test(container))
    return isPrefix(prefix) ? { kind: 'azure', account: first, container, prefix: prefix.join('/') } : null;
  return null;
}

function isPrefix(names: readonly string[]): boolean {
  return names.every((name) => /^[\w.-]+$/.test(name) && !/^\.+$/.test(name));
}
