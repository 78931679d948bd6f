import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { z } from 'zod';

const manifest = findPackageJSON(import.meta.url) ?? 'package.json';

/** Absolute path of a file of the package, both from its source and from the build in `dist/server`, which has other folders. */
export function packageFile(name: string): string {
  return path.resolve(path.dirname(manifest), name);
}

/** Version of the program, such as `0.1.0`. */
export const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8')));
