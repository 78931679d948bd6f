import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { parseEmail, parseName } from '../../tenancy/login/input.ts';
import { auditCommand } from '../../tenancy/operator/audit.ts';
import {
  createUser,
  disableSecondFactors,
  endUserSessions,
  listUsers,
  type NewMember,
  resetUserPassword,
  unlockUser,
} from '../../tenancy/operator/users.ts';
import {
  type CliCommand,
  type OptionValues,
  readArgument,
  requiredOption,
  textOption,
  UsageError,
} from '../cli/command.ts';
import { countText, tableText } from '../cli/text.ts';
import type { WithDeps } from './deps.ts';

const linkNote = 'The link works once, within an hour. Pass it on over a channel that only the user can read.';

/** `create-user` */
export function createUserCommand(withDeps: WithDeps): CliCommand {
  return {
    usage: `Usage: npm run admin -- create-user --email EMAIL --new-organization NAME [--name NAME]
       npm run admin -- create-user --email EMAIL --organization ID|NAME [--role ROLE] [--name NAME]

Creates a user and prints a link that sets the password. Works whatever REGISTRATION allows. An existing user is added
to the organization and keeps the password.

  --email             address of the user
  --new-organization  creates an organization with the user as its Super Admin
  --organization      id or exact name of an existing organization
  --role              role in an existing organization: admin, member or viewer; default: member
  --name              display name; default: the part of the address before the @`,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      organization: { type: 'string' },
      'new-organization': { type: 'string' },
      role: { type: 'string' },
    },
    positionals: [],
    async run({ options }) {
      const input = await readArgument(() => newMemberOf(options));
      return withDeps(async ({ deps }) => {
        const user = await createUser(deps, input);
        const { id, name } = user.organization;
        console.log(`${user.email} has the role ${roleNames[user.role]} in "${name}" (${id}).`);
        if (user.passwordUrl === null) console.log('The user existed before and keeps the password.');
        else console.log(`\nLink to set the password:\n  ${user.passwordUrl}\n\n${linkNote}`);
        return 0;
      });
    },
  };
}

function newMemberOf(options: OptionValues): NewMember {
  const email = parseEmail(requiredOption(options, 'email'), '--email');
  const given = textOption(options, 'name');
  const name = given === null ? null : parseName(given, '--name');
  const [existing, created] = [textOption(options, 'organization'), textOption(options, 'new-organization')];
  if (existing !== null && created !== null)
    throw new UsageError('--organization and --new-organization are given; give only one of them');
  const role = textOption(options, 'role');
  if (existing !== null)
    return { email, name, organization: existing, isNewOrganization: false, role: roleOf(role ?? 'member') };
  if (created === null) throw new UsageError('either --organization or --new-organization is required');
  if (role !== null && role !== 'super_admin')
    throw new UsageError(
      `--role "${role}" is not possible with --new-organization, whose first user is its Super Admin; leave it out`,
    );
  const organization = parseName(created, '--new-organization');
  return { email, name, organization, isNewOrganization: true, role: 'super_admin' };
}

const roleNames = {
  super_admin: 'Super Admin',
  admin: 'Admin',
  member: 'Member',
  viewer: 'Viewer',
} as const satisfies Record<Role, string>;

function roleOf(text: string): Role {
  const role = Object.values(Role).find((one) => one === text && one !== 'super_admin');
  if (role) return role;
  const problem = text === 'super_admin' ? 'is taken: an organization has one Super Admin' : 'is not a role';
  throw new UsageError(`--role "${text}" ${problem}; use admin, member or viewer`);
}

/** Runs a command for the user of its argument EMAIL. */
function forUser(
  withDeps: WithDeps,
  work: (deps: Deps, email: string, options: OptionValues) => Promise<number>,
): CliCommand['run'] {
  return async ({ positionals: [input = ''], options }) => {
    const email = await readArgument(() => parseEmail(input, 'EMAIL'));
    return withDeps(({ deps }) => work(deps, email, options));
  };
}

/** `reset-password` */
export function resetPasswordCommand(withDeps: WithDeps): CliCommand {
  return {
    usage: `Usage: npm run admin -- reset-password EMAIL

Invalidates the password, ends all sessions, unlocks the login, and prints a link that sets a new password.
Second factors and API tokens are kept.`,
    options: {},
    positionals: ['EMAIL'],
    run: forUser(withDeps, async (deps, input) => {
      const { email, passwordUrl, sessionsEnded } = await resetUserPassword(deps, input);
      console.log(
        `The password of ${email} no longer works; ${countText(sessionsEnded, 'session was', 'sessions were')} ended.`,
      );
      console.log(`\nLink to set a new one:\n  ${passwordUrl}\n\n${linkNote}`);
      return 0;
    }),
  };
}

/** `disable-2fa` */
export function disableSecondFactorCommand(withDeps: WithDeps): CliCommand {
  return {
    usage: `Usage: npm run admin -- disable-2fa EMAIL [--passkeys]

Removes the authenticator app (TOTP) and the recovery codes of a user, and ends all sessions. Verify the identity of the user first.

  --passkeys  also removes all passkeys; without it, they are kept, and still required after the password`,
    options: { passkeys: { type: 'boolean' } },
    positionals: ['EMAIL'],
    run: forUser(withDeps, async (deps, input, options) => {
      const removed = await disableSecondFactors(deps, input, { passkeys: options['passkeys'] === true });
      const what = [
        ...(removed.totp ? ['TOTP'] : []),
        'recovery codes',
        ...(removed.passkeys > 0 ? [countText(removed.passkeys, 'passkey')] : []),
      ];
      console.log(`Removed from ${removed.email}: ${what.join(', ')}.`);
      console.log(`${countText(removed.sessionsEnded, 'session was', 'sessions were')} ended.`);
      if (removed.remaining > 0)
        console.log(
          `${countText(removed.remaining, 'passkey remains', 'passkeys remain')} and ${removed.remaining === 1 ? 'is' : 'are'} still required after the password; remove ${removed.remaining === 1 ? 'it' : 'them'} with --passkeys.`,
        );
      return 0;
    }),
  };
}

/** `end-sessions` */
export function endSessionsCommand(withDeps: WithDeps): CliCommand {
  return {
    usage: `Usage: npm run admin -- end-sessions --email EMAIL [--tokens]
       npm run admin -- end-sessions --all [--tokens]

Ends all sessions of a user, or of all users, effective with their next request. Passwords and second factors are kept.

  --email   address of the user
  --all     all users of the server
  --tokens  also revokes their API tokens`,
    options: { email: { type: 'string' }, all: { type: 'boolean' }, tokens: { type: 'boolean' } },
    positionals: [],
    async run({ options }) {
      const given = textOption(options, 'email');
      if ((options['all'] === true) === (given !== null)) throw new UsageError('either --email or --all is required');
      const email = await readArgument(() => (given === null ? null : parseEmail(given, '--email')));
      const tokens = options['tokens'] === true;
      return withDeps(async ({ deps }) => {
        const emails = email === null ? (await listUsers(deps)).map((user) => user.email) : [email];
        for (const one of emails) {
          const { sessionsEnded, tokensRevoked } = await endUserSessions(deps, one, { tokens });
          const revoked = tokens ? `, ${countText(tokensRevoked, 'API token')} revoked` : '';
          console.log(`${one}: ${countText(sessionsEnded, 'session')} ended${revoked}`);
        }
        return 0;
      });
    },
  };
}

/** `unlock` */
export function unlockCommand(withDeps: WithDeps): CliCommand {
  return {
    usage: `Usage: npm run admin -- unlock EMAIL

Unlocks a login after failed attempts, and resets their count.`,
    options: {},
    positionals: ['EMAIL'],
    run: forUser(withDeps, async (deps, input) => {
      const { email, lockedUntil } = await unlockUser(deps, input);
      const was = lockedUntil === null ? 'was not locked; its failed attempts were reset' : 'is unlocked';
      console.log(`The login of ${email} ${was}.`);
      return 0;
    }),
  };
}

/** `list-users` */
export function listUsersCommand(withDeps: WithDeps): CliCommand {
  return {
    usage: `Usage: npm run admin -- list-users [--json]

Lists all users of the server with their organizations, roles, second factors and last login.

  --json  prints JSON`,
    options: { json: { type: 'boolean' } },
    positionals: [],
    run: ({ options }) =>
      withDeps(async ({ deps }) => {
        await auditCommand(deps.db, 'list-users');
        const users = await listUsers(deps);
        if (options['json'] === true) {
          console.log(JSON.stringify(users, null, 2));
          return 0;
        }
        const rows = users.map((user) => [
          user.email,
          user.organizations.map(({ name, role }) => `${name} (${roleNames[role]})`).join(', ') || 'none',
          [...(user.totp ? ['TOTP'] : []), ...(user.passkeys > 0 ? [countText(user.passkeys, 'passkey')] : [])].join(
            ', ',
          ) || 'none',
          user.lastLoginAt?.toISOString().slice(0, 10) ?? 'never',
          user.lockedUntil ? `locked until ${user.lockedUntil.toISOString().slice(0, 16)}Z` : '',
        ]);
        console.log(
          rows.length === 0
            ? 'There are no users.'
            : tableText([['EMAIL', 'ORGANIZATIONS', 'SECOND FACTOR', 'LAST LOGIN', ''], ...rows]),
        );
        return 0;
      }),
  };
}
