import { sharedRootOf } from '../../../providers/focus/path.ts';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Config } from '../../../kit/config/config.ts';
import { countText } from '../../cli/text.ts';
import { type Check, warning } from './check.ts';

/** Counts of users. */
export interface People {
  readonly users: number;
  /** Admins and Super Admins without a second factor. */
  readonly unprotected: number;
}

/** Counts the users of all organizations. */
export async function countPeople(pool: pg.Pool): Promise<People> {
  const { rows } = await pool.query<People>(
    `/* countPeople */ SELECT count(*)::int AS users,
       count(*) FILTER (WHERE totp_confirmed_at IS NULL AND NOT EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id)
         AND EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.role IN ('super_admin', 'admin')))::int AS unprotected
     FROM users u`,
  );
  return rows[0] ?? { users: 0, unprotected: 0 };
}

/** Checks the settings of docs/production.md. Returns only problems.
 *  @param people null: unknown */
export async function settingChecks(config: Config, people: People | null): Promise<Check[]> {
  return [
    ...variableChecks(config, people),
    ...signInCheck(people),
    ...(await focusCheck(config)),
    ...(await ownerCheck(config)),
  ];
}

function variableChecks({ production, registration, publicUrl, backup, init }: Config, people: People | null): Check[] {
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const checks = [
    !production && warning('NODE_ENV', 'it is not production', 'set NODE_ENV=production'),
    registration === 'open' &&
      warning(
        'REGISTRATION',
        'it is open: anyone who can reach the server can create an organization',
        'set REGISTRATION=first or invite',
      ),
    protocol === 'http:' &&
      !isLocal &&
      warning(
        'PUBLIC_URL',
        `${publicUrl} is not encrypted`,
        'set it to the https address of a proxy, or set TLS_CERT and TLS_KEY',
      ),
    backup.cron !== null &&
      backup.passphrase === null &&
      warning(
        'BACKUP_PASSPHRASE',
        'it is not set, so scheduled backups do not contain the keys',
        'set it, and keep it in another place',
      ),
    init !== null &&
      people !== null &&
      people.users > 0 &&
      warning(
        'COSTKEEP_INIT_PASSWORD',
        'it is still set, although there are users',
        'unset the variables COSTKEEP_INIT_*, which only the first start uses',
      ),
  ];
  return checks.filter((check) => check !== false);
}

function signInCheck(people: People | null): Check[] {
  if (people === null || people.unprotected === 0) return [];
  return [
    warning(
      'sign-in',
      `${countText(people.unprotected, 'Admin or Super Admin has', 'Admins or Super Admins have')} no second factor`,
      'have them set one up, or require it of all members; "list-users" shows who has one',
    ),
  ];
}

async function focusCheck({ focusRoot }: Config): Promise<Check[]> {
  if (focusRoot === null) return [];
  const root = sharedRootOf(focusRoot);
  const found = await stat(root).catch(() => null);
  if (found?.isDirectory()) return [];
  const problem = found ? 'is not a folder' : 'does not exist or cannot be reached';
  return [warning('FOCUS_ROOT', `${root} ${problem}`, 'set it to the folder of the bills')];
}

/** A command run as another user leaves folders in which the server cannot write. */
async function ownerCheck({ dataDir, facts: { place } }: Config): Promise<Check[]> {
  if (place.kind !== 'folder' || path.dirname(place.folder) !== dataDir) return [];
  const found = await stat(dataDir).catch(() => null);
  if (found === null) return [];
  // A volume of Kubernetes belongs to root and to our group, which writes to it.
  const owner = found.uid === 0 ? (process.getuid?.() ?? 0) : found.uid;
  const foreign = await countForeign(place.folder, owner);
  if (foreign === 0) return [];
  return [
    warning(
      'fact folder',
      `not owned by user ${owner}: ${countText(foreign, 'file or folder', 'files and folders')} in ${place.folder}`,
      `run: chown -R ${owner}:${found.gid} ${place.folder}; run commands as the user of the server`,
    ),
  ];
}

async function countForeign(folder: string, owner: number): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let count = 0;
  for (const entry of entries) {
    const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => null);
    if (found && found.uid !== owner) count += 1;
  }
  return count;
}
