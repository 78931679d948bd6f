import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../src/kit/config/variables.ts';
import { variables as mcpVariables } from '../../src/mcp/settings.ts';
import { readPage } from '../docs/pages.ts';
import { root } from './package.ts';

const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');

interface Service {
  readonly image: string;
  readonly command?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly read_only?: boolean;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as Compose;
const environmentFiles = ['postgres', 'scale'].map(
  (profile) => [profile, read(`deploy/compose/${profile}.env`)] as const,
);

const ofSdk = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'];
const known = new Set([...Object.keys(variables.shape), ...Object.keys(mcpVariables.shape), ...ofSdk]);

/** Returns the services that start with a profile, including those without one. */
const started = (profile: string) =>
  Object.keys(services).filter((name) => services[name]?.profiles?.includes(profile) ?? true);

describe('compose.yaml', () => {
  it('starts one service by default, and the services of each profile', () => {
    expect(started('')).toEqual(['costkeep']);
    expect(started('postgres')).toEqual(['costkeep', 'postgres']);
    expect(started('scale')).toEqual(['costkeep', 'costkeep-2', 'worker', 'mcp', 'postgres', 'redis', 's3', 'bucket']);
  });

  it('depends on existing services and volumes only', () => {
    for (const service of Object.values(services)) {
      for (const name of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty(name);
      for (const volume of service.volumes ?? []) expect(volumes).toHaveProperty([volume.split(':')[0] ?? '']);
    }
  });

  it('sets variables that exist, and runs with a read-only root file system', () => {
    for (const service of Object.values(services).filter(({ image }) => image.includes('COSTKEEP_IMAGE'))) {
      expect(Object.keys(service.environment ?? {}).filter((name) => !known.has(name))).toEqual([]);
      expect(service.read_only).toBe(true);
    }
  });

  it('publishes ports only on this machine by default', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toHaveLength(3);
    expect(ports.filter((port) => !port.startsWith('${COSTKEEP_BIND:-127.0.0.1}:'))).toEqual([]);
  });

  it.each(environmentFiles)('supports every variable of deploy/compose/%s.env', (profile, text) => {
    const names = [...text.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name ?? '');
    expect(text).toContain(`COMPOSE_PROFILES=${profile}\n`);
    const used = read('compose.yaml');
    const isOfCompose = (name: string) => name === 'COMPOSE_PROFILES' || used.includes(`\${${name}:-`);
    expect(names.filter((name) => !known.has(name) && !isOfCompose(name))).toEqual([]);
  });
});

describe('Dockerfile', () => {
  it('passes the linter', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  it('runs as an unprivileged user and has a health check', () => {
    const last =
      read('Dockerfile')
        .split(/^FROM /m)
        .at(-1) ?? '';
    expect(last).toContain('USER 10001:10001\n');
    expect(last).toContain('VOLUME /data\n');
    expect(last).toMatch(/^HEALTHCHECK .*"health"\]$/m);
    expect(last).not.toMatch(/^RUN /m);
    // It would replace the platform that the builder sets.
    expect(read('Dockerfile')).not.toMatch(/^ARG TARGET\w+=/m);
  });
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(!hasSystemd)('the systemd unit (skipped without systemd-analyze)', () => {
  it('is accepted by systemd, with the additions of docs/install.md', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-unit-'));
    const additions = readPage('docs/install.md').blocks.filter(({ info }) => info === 'ini');
    expect(additions).toHaveLength(2);
    const unit = read('deploy/systemd/costkeep.service').replace('/opt/costkeep/bin/costkeep', '/bin/true');
    fs.writeFileSync(path.join(folder, 'costkeep.service'), unit);
    const overrides = path.join(folder, 'costkeep.service.d');
    fs.mkdirSync(overrides);
    for (const [at, { text }] of additions.entries()) fs.writeFileSync(path.join(overrides, `${at}.conf`), text);
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path.join(folder, 'costkeep.service')], {
      encoding: 'utf8',
    });
    fs.rmSync(folder, { recursive: true });
    expect(stderr.split('\n').filter((line) => /costkeep\.service|\.conf/.test(line))).toEqual([]);
  });
});
