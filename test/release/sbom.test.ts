import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { packedFiles, productionPackages, root } from './package.ts';

const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');

/** The parts of CycloneDX 1.5 that scanners need. */
const bomForm = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  version: z.literal(1),
  metadata: z.object({
    component: z.object({ type: z.literal('application'), 'bom-ref': z.string(), name: z.literal('costkeep') }),
  }),
  components: z.array(
    z.object({
      type: z.literal('library'),
      'bom-ref': z.string(),
      name: z.string().min(1),
      version: z.string().min(1),
      scope: z.enum(['required', 'optional']),
      purl: z.string().regex(/^pkg:npm\/(%40[^/@]+\/)?[^/@]+@[^@]+$/),
      hashes: z.array(z.object({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) })),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string() })) });

describe('the software bill of materials', () => {
  const bom = bomForm.parse(JSON.parse(read('dist/sbom.cdx.json')));
  const refs = bom.components.map((component) => component['bom-ref']);

  it('is in the release', () => {
    expect(packedFiles()).toContain('dist/sbom.cdx.json');
  });

  it('has each package once, and names only these in dependencies', () => {
    expect(new Set(refs).size).toBe(refs.length);
    const known = new Set([...refs, bom.metadata.component['bom-ref']]);
    const named = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !known.has(ref))).toEqual([]);
  });

  it('has the installed packages with the versions of package-lock.json', () => {
    const { packages } = lock.parse(JSON.parse(read('package-lock.json')));
    const installed = productionPackages().map(
      (folder) => `${folder.replace(/^.*node_modules\//, '')}@${packages[folder]?.version}`,
    );
    expect(installed.length).toBeGreaterThan(20);
    expect(installed.filter((ref) => !refs.includes(ref))).toEqual([]);
  });

  it('has the bundled packages with the versions of package-lock.json, and no tools', () => {
    const { packages } = lock.parse(JSON.parse(read('package-lock.json')));
    for (const name of ['graphql', 'express', 'jose', 'react', '@mantine/core', '@aws-sdk/client-s3'])
      expect(refs).toContain(`${name}@${packages[`node_modules/${name}`]?.version}`);
    expect(bom.components.filter(({ name }) => /^(vitest|vite|typescript|prettier|oxlint|knip)$/.test(name))).toEqual(
      [],
    );
  });
});
