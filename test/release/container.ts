import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from './package.ts';

// Runs the default service of compose.yaml with podman: no release of Compose that reads the file can be installed everywhere.

const service = z.strictObject({
  image: z.string(),
  build: z.string(),
  restart: z.string(),
  init: z.literal(true),
  read_only: z.literal(true),
  tmpfs: z.string(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  stop_grace_period: z.string(),
  env_file: z.unknown(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])),
  depends_on: z.unknown(),
  ports: z.array(z.string()),
  volumes: z.tuple([z.literal('data:/data')]),
});

// crun, its default, refuses machines with both versions of cgroups.
const runtime = spawnSync('sh', ['-c', 'command -v runc']).status === 0 ? ['--runtime', 'runc'] : [];
const podman = (...args: readonly string[]) =>
  execFileSync('podman', [...runtime, ...args], { encoding: 'utf8' }).trim();

/** Flags of every container: our network, which needs no bridge; limits that not every root may raise; and no timer for the
 *  health check, which needs systemd. */
const common = ['--network=host', '--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096', '--no-healthcheck'];

/** Whether podman can run containers of an image here. */
export function canRun(image: string): boolean {
  const args = [...runtime, 'run', '--rm', ...common, '--entrypoint=/bin/true', image];
  return spawnSync('podman', args, { timeout: 60_000 }).status === 0;
}

/** A running or ended container. */
export interface Container {
  /** Its output so far. */
  logs(): string;
  /** Whether the command of its health check succeeds. */
  isHealthy(healthCheck: readonly string[]): boolean;
  /** Waits until it ends. @returns its exit code */
  ended(limitMs: number): number | null;
  /** Stops it like `docker compose stop`. @returns its exit code */
  stop(): number | null;
  remove(): void;
}

/** Starts the default service.
 *  @param data folder of this machine in place of the volume
 *  @param env variables in addition to those of compose.yaml */
export function startService(image: string, data: string, env: Readonly<Record<string, string>>): Container {
  const { services } = parse(fs.readFileSync(path.join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, unknown>;
  };
  const { environment, cap_drop: dropped, security_opt: options, tmpfs } = service.parse(services['costkeep']);
  const variables = Object.entries({ ...environment, ...env }).map(([name, value]) => `${name}=${filledIn(value)}`);
  const id = podman(
    'run',
    '--detach',
    ...common,
    '--init',
    '--read-only',
    '--read-only-tmpfs=false',
    '--tmpfs',
    tmpfs,
    ...dropped.flatMap((capability) => ['--cap-drop', capability]),
    ...options.flatMap((option) => ['--security-opt', option.replace(':true', '')]),
    ...variables.flatMap((variable) => ['--env', variable]),
    '--volume',
    `${data}:/data`,
    image,
  );
  const exitCode = () => Number(podman('inspect', '--format', '{{.State.ExitCode}}', id));
  return {
    logs: () => spawnSync('sh', ['-c', `podman logs ${id} 2>&1`], { encoding: 'utf8' }).stdout,
    isHealthy: (healthCheck) => spawnSync('podman', ['exec', id, ...healthCheck]).status === 0,
    ended: (limitMs) => (spawnSync('podman', ['wait', id], { timeout: limitMs }).status === 0 ? exitCode() : null),
    stop() {
      podman('stop', '--time', '30', id);
      return exitCode();
    },
    remove: () => void podman('rm', '--force', id),
  };
}

/** Replaces variables with their defaults, as Compose does without a file `.env`. The innermost come first. */
function filledIn(value: string | number): string {
  const text = String(value);
  const filled = text.replace(/\$\{\w+:-([^${}]*)\}/g, '$1');
  return filled === text ? text : filledIn(filled);
}
