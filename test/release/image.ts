import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './package.ts';

// Builds the image with buildah, which needs no daemon. Where no image registry can be reached, its base images are
// built from Debian's packages and the Node of this machine.

const names = { node: 'localhost/costkeep-test-node', base: 'localhost/costkeep-test-base' };

/** Runs a program to its end.
 *  @returns its output
 *  @throws {Error} with its output if it fails */
function run(program: string, args: readonly string[], cwd = '/'): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status === 0) return stdout.trim();
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`.slice(-4000)}`);
}

const isFound = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const buildah = (...args: readonly string[]) => run('buildah', args);

/** Whether an image can be built here. */
export const canBuild = isFound('buildah') && process.getuid?.() === 0;

/** Images to build from: those of the Dockerfile, or our own. */
function bases(): string[] {
  if (
    spawnSync('buildah', ['pull', '--quiet', 'docker.io/library/debian:bookworm-slim'], { timeout: 60_000 }).status ===
    0
  )
    return [];
  if (spawnSync('buildah', ['inspect', '--type', 'image', names.node]).status !== 0) makeBases();
  return ['--build-arg', `NODE_IMAGE=${names.node}`, '--build-arg', `BASE_IMAGE=${names.base}`];
}

function makeBases(): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-base-'));
  const mirror = /^(?:URIs:|deb(?: \[.*?\])?) *(http\S+)/m.exec(debianSources())?.[1] ?? 'http://deb.debian.org/debian';
  run('debootstrap', ['--variant=minbase', 'bookworm', folder, mirror]);
  // Folders that the slim images omit.
  const left = ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale', 'usr/share/man'];
  for (const name of left) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, folder, '/');
  buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
  buildah('commit', '--quiet', container, names.base);
  const npm = path.dirname(path.dirname(fs.realpathSync(run('sh', ['-c', 'command -v npm']))));
  buildah('add', '--quiet', container, '/usr/bin/node', '/usr/local/bin/node');
  buildah('add', '--quiet', container, npm, '/usr/local/lib/npm');
  const link = ['ln', '-s', '../lib/npm/bin/npm-cli.js', '/usr/local/bin/npm'];
  buildah('run', '--isolation', 'chroot', container, '--', ...link);
  buildah('commit', '--quiet', '--rm', container, names.node);
  fs.rmSync(folder, { recursive: true, force: true });
}

function debianSources(): string {
  const folder = '/etc/apt/sources.list.d';
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
  return ['/etc/apt/sources.list', ...files.filter((file) => /\.(list|sources)$/.test(file))]
    .filter((file) => fs.existsSync(file))
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('\n');
}

/** Mounts of the settings and the cache of this machine's npm, and of the certificate authorities that the machine trusts. */
function npmOf(folder: string): string[] {
  const settings = path.join(os.homedir(), '.npmrc');
  const lines = fs.existsSync(settings) ? [fs.readFileSync(settings, 'utf8')] : [];
  const mounts = [
    `${path.join(folder, '.npmrc')}:/root/.npmrc:ro`,
    `${run('npm', ['config', 'get', 'cache'])}:/root/.npm`,
  ];
  // Debian's file, which also contains the CA of a proxy.
  const authorities = '/etc/ssl/certs/ca-certificates.crt';
  if (fs.existsSync(authorities)) {
    lines.push('cafile=/authorities.pem');
    mounts.push(`${fs.realpathSync(authorities)}:/authorities.pem:ro`);
  }
  fs.writeFileSync(path.join(folder, '.npmrc'), `${lines.join('\n')}\n`);
  return mounts;
}

/** Limits of open files in the build: npm opens as many as it may, and the default of 1,024 is too few for it on a slow disk. */
function limitsOf(): string[] {
  const limit = run('sh', ['-c', 'ulimit -Hn']);
  return /^\d+$/.test(limit) ? ['--ulimit', `nofile=${limit}:${limit}`] : [];
}

/** Builds the image of the committed source.
 *  @returns its name */
export function buildImage(): string {
  const source = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-source-'));
  run('sh', ['-c', `git -C '${root}' archive HEAD | tar -x -C '${source}'`]);
  const options = npmOf(source).flatMap((mount) => ['-v', mount]);
  const name = 'localhost/costkeep-test';
  buildah(
    'build',
    '--isolation',
    'chroot',
    '--network',
    'host',
    '--format',
    'docker',
    ...limitsOf(),
    ...options,
    ...bases(),
    '-t',
    name,
    source,
  );
  fs.rmSync(source, { recursive: true });
  return name;
}

/** Size of an image in bytes, uncompressed. */
export function sizeOfImage(name: string): number {
  const container = buildah('from', name);
  const folder = buildah('mount', container);
  const bytes = Number(run('du', ['-s', '-B1', '--apparent-size', folder]).split('\t')[0]);
  buildah('rm', container);
  return bytes;
}

/** The configuration of an image, as the runtime reads it. */
export function configOf(name: string): {
  readonly User: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
} {
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', name)) as { Docker: { config: never } };
  return Docker.config;
}
