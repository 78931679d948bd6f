import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

// The last step of `npm run build`: writes the software bill of materials of the release, `dist/sbom.cdx.json`, in
// CycloneDX 1.5. It has the packages that are installed beside the build, for all platforms, and those bundled into it.
// `npm sbom` lists the latter only as development packages. The same build writes the same file.

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');

const lockedPackage = z.object({
  version: z.string(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
type Locked = z.infer<typeof lockedPackage>;
const lockFile = z.object({ name: z.string(), packages: z.record(z.string(), lockedPackage) });

const { name: product, packages } = lockFile.parse(JSON.parse(read('package-lock.json')));

/** Name and version of a package, given its folder in the lock file. */
function refOf(folder: string, { version }: Locked): string {
  return `${folder === '' ? product : folder.replace(/^.*node_modules\//, '')}@${version}`;
}

/** Packages in the build, as `name@version`, from the licenses that Vite writes. */
function bundledPackages(): Set<string> {
  const licenses = ['server', 'console'].map((part) => read(`dist/${part}/licenses.md`)).join('\n');
  const headings = [...licenses.matchAll(/^## (?<name>\S+) - (?<version>\S+) \(/gm)];
  return new Set(headings.map(({ groups }) => `${groups?.['name']}@${groups?.['version']}`));
}

/** Where Node finds a dependency of the package in a folder. */
function folderOf(from: string, dependency: string): string | null {
  const folder = `${from === '' ? '' : `${from}/`}node_modules/${dependency}`;
  if (packages[folder]) return folder;
  return from === '' ? null : folderOf(from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''), dependency);
}

function dependenciesOf(folder: string, { dependencies, optionalDependencies }: Locked): string[] {
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return names.flatMap((name) => {
    const found = folderOf(folder, name);
    const locked = found === null ? undefined : packages[found];
    return found !== null && locked ? [refOf(found, locked)] : [];
  });
}

function licensesOf({ license }: Locked): object[] {
  if (license === undefined) return [];
  if (license.startsWith('(')) return [{ expression: license }];
  return [{ license: /^[\w.-]+$/.test(license) ? { id: license } : { name: license } }];
}

function componentOf(folder: string, locked: Locked, isBundled: boolean): object {
  const [algorithm = '', digest = ''] = (locked.integrity ?? '').split('-');
  const ref = refOf(folder, locked);
  return {
    type: 'library',
    'bom-ref': ref,
    name: ref.slice(0, ref.lastIndexOf('@')),
    version: locked.version,
    scope: locked.optional && !isBundled ? 'optional' : 'required',
    purl: `pkg:npm/${ref.replace(/^@/, '%40')}`,
    licenses: licensesOf(locked),
    ...(digest && {
      hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
    properties: [{ name: 'costkeep:place', value: isBundled ? 'bundled' : 'installed' }],
  };
}

/** A UUID that depends on the content only. */
function serialOf(content: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const bundled = bundledPackages();
const released = new Map(
  Object.entries(packages)
    .filter(([folder, locked]) => folder !== '' && (!locked.dev || bundled.has(refOf(folder, locked))))
    .map(([folder, locked]) => [refOf(folder, locked), { folder, locked }] as const),
);
const unknown = [...bundled].filter((ref) => !released.has(ref));
if (unknown.length > 0) throw new Error(`package-lock.json lacks bundled packages: ${unknown.join(', ')}`);

const self = lockedPackage.parse(packages['']);
const components = [...released].map(([ref, { folder, locked }]) => componentOf(folder, locked, bundled.has(ref)));
const own = { ref: refOf('', self), dependsOn: [...new Set([...dependenciesOf('', self), ...bundled])].sort() };
const others = [...released].map(([ref, { folder, locked }]) => ({
  ref,
  dependsOn: dependenciesOf(folder, locked).filter((one) => released.has(one)),
}));
const content = {
  metadata: {
    component: { type: 'application', 'bom-ref': own.ref, name: product, version: self.version },
  },
  components,
  dependencies: [own, ...others],
};
const bom = { bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: serialOf(content), version: 1, ...content };
fs.writeFileSync(path.join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(bom, null, 1)}\n`);
