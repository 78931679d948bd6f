import { randomUUID } from 'node:crypto';
import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { arg, fix, invalid, operation } from '../../kit/errors.ts';
import { AwsFault } from './faults.ts';

/** Shortest session that AWS gives, in seconds: what is tried here is never used. */
const leastSeconds = 900;

/** Refuses a role that is assumed without its external id, or with any. The server assumes it in the name of whoever names
 *  it: every other organization on the server could read that account too ("The confused deputy problem", IAM user guide).
 *  @param sts signs as the server
 *  @throws {AppError} VALIDATION_ERROR naming the role and the condition that its trust policy lacks
 *  @throws {TryLater} */
export async function refuseOpenRole(
  sts: STSClient,
  { roleArn, externalId }: { roleArn: string; externalId: string },
  signal: AbortSignal,
): Promise<void> {
  const isOpen = async (trial: { ExternalId?: string }): Promise<boolean> => {
    const command = new AssumeRoleCommand({
      RoleArn: roleArn,
      RoleSessionName: 'costkeep-check',
      DurationSeconds: leastSeconds,
      ...trial,
    });
    return sts.send(command, { abortSignal: signal }).then(
      () => true,
      (error: unknown) => refusedOrThrow(error, roleArn),
    );
  };
  const trial = (await isOpen({})) ? 'without an external id' : 'with any external id';
  if (trial === 'with any external id' && !(await isOpen({ ExternalId: randomUUID() }))) return;
  throw invalid`${arg('credentials.role_arn', roleArn)} can be assumed ${trial}, so that any other organization on this server could name it too${fix}add the condition {"StringEquals": {"sts:ExternalId": "${externalId}"}} to its trust policy, as ${operation('GET /accounts/setup')} shows, and connect again in a minute`;
}

/** @returns false: the role is not open this way */
function refusedOrThrow(error: unknown, roleArn: string): false {
  if (!(error instanceof AwsFault)) throw error;
  if (error.isDenied) return false;
  throw invalid`${arg('credentials.role_arn', roleArn)} cannot be checked for an external id (${error.code}): ${error.message}`;
}
