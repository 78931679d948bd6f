import { access, constants, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config, Environment } from '../../../kit/config/config.ts';
import { formatBytes } from '../../../kit/text/format.ts';
import { type Check, failed, ok, orFailed, warning } from './check.ts';

const gib = 2 ** 30;

/** Checks disk space, permissions and keys of the data folder. */
export function machineChecks(config: Config, env: Environment): Promise<Check[]> {
  return Promise.all([disk(config), permissions(config), keys(config, env)]);
}

function disk({ dataDir }: Config): Promise<Check> {
  return orFailed('disk space', 'check the file system of DATA_DIR', async () => {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    const [free, total] = [bavail * bsize, blocks * bsize];
    const detail = `${formatBytes(free)} of ${formatBytes(total)} free in ${dataDir}`;
    if (free < gib)
      return failed('disk space', detail, 'make space, or move DATA_DIR: loads and the database stop on a full disk');
    if (free < 5 * gib || free < total / 20) return warning('disk space', detail, 'make space before it runs out');
    return ok('disk space', detail);
  });
}

function permissions({ dataDir }: Config): Promise<Check> {
  return orFailed('data folder', 'set DATA_DIR to a folder that the server may write to', async () => {
    const { mode, uid } = await stat(dataDir);
    await access(dataDir, constants.W_OK);
    // A volume of Kubernetes belongs to root and to our group, which writes to it.
    const isOurs = uid === process.getuid?.();
    if (mode & (isOurs ? 0o022 : 0o002))
      return failed('data folder', `${dataDir} can be changed by other users`, `run: chmod go-w ${dataDir}`);
    if ((isOurs || process.getuid?.() === 0) && mode & 0o004)
      return warning('data folder', `${dataDir} can be listed by other users`, `run: chmod o-r ${dataDir}`);
    return ok('data folder', `${dataDir} is writable`);
  });
}

function keys({ dataDir }: Config, env: Environment): Promise<Check> {
  return orFailed('keys', 'restore the key files from a backup', async () => {
    const files = [
      { variable: 'JWT_KEY', file: path.join(dataDir, 'jwt.key') },
      { variable: 'ENCRYPTION_KEY', file: path.join(dataDir, 'encryption.key') },
    ].filter(({ variable }) => !env[variable]?.trim());
    const open: string[] = [];
    for (const { file } of files) if ((await stat(file)).mode & 0o077) open.push(file);
    if (open.length > 0)
      return failed('keys', `other users may read ${open.join(' and ')}`, `run: chmod 600 ${open.join(' ')}`);
    if (files.length === 0) return ok('keys', 'set by JWT_KEY and ENCRYPTION_KEY');
    return ok('keys', `in ${files.map(({ file }) => file).join(' and ')}: keep copies in another place`);
  });
}
