import { inTransaction } from '../../kit/database/transaction.ts';
import { forgetKey } from '../../kit/secrets/shared-key.ts';
import { auditCommand } from '../../tenancy/operator/audit.ts';
import { refuseRunning } from '../backup/restore/target.ts';
import type { CliCommand } from '../cli/command.ts';
import type { WithDatabase } from './deps.ts';

/** `forget-key` */
export function forgetKeyCommand(withDatabase: WithDatabase): CliCommand {
  return {
    usage: `Usage: npm run admin -- forget-key

Deletes the record of the encryption key, so that the next start accepts another ENCRYPTION_KEY. Use it only if the key is
lost: credentials of accounts, channels and webhooks must then be entered again; "disable-2fa" helps users whose
TOTP no longer works. Stop all servers and workers first.`,
    options: {},
    positionals: [],
    run: () =>
      withDatabase(async ({ pool, prisma }) => {
        await inTransaction(pool, async (client) => {
          await refuseRunning(client);
          await forgetKey(client);
        });
        await auditCommand(prisma, 'forget-key');
        console.log(
          'The next start accepts its ENCRYPTION_KEY. Enter the credentials of accounts, the channels and the webhooks again.',
        );
        return 0;
      }),
  };
}
