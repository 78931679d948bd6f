import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

export const root = path.resolve(import.meta.dirname, '../..');

const packed = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })]);
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), devOptional: z.boolean().optional(), peer: z.boolean().optional() }),
  ),
});

/** Files of the tarball that `npm pack` makes, relative to the root. npm adds the lock file while it packs. */
export function packedFiles(): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = packed.parse(JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })));
  return files.map((file) => file.path);
}

/** Folders of the packages that `npm ci --omit=dev` installs on this machine, relative to the root. */
export function productionPackages(): string[] {
  const { packages } = lock.parse(JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && !dev && !devOptional)
    .map(([folder]) => folder)
    .filter((folder) => fs.existsSync(path.join(root, folder)));
}

/** Copies files and folders of the root into another folder. */
export function copyFiles(names: readonly string[], to: string): void {
  for (const name of names) fs.cpSync(path.join(root, name), path.join(to, name), { recursive: true });
}

/** Size of files and folders in bytes, as allocated on disk. */
export function sizeOf(names: readonly string[]): number {
  const paths = names.map((name) => path.join(root, name));
  const output = execFileSync('du', ['-s', '-B1', ...paths], { encoding: 'utf8', maxBuffer: 2 ** 24 });
  return output.split('\n').reduce((sum, line) => sum + Number(line.split('\t')[0]), 0);
}
