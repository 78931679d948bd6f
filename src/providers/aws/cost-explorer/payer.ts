import { DescribeOrganizationCommand, OrganizationsClient } from '@aws-sdk/client-organizations';
import { AwsFault } from '../faults.ts';
import type { AwsSession } from '../session.ts';

/** The account that pays: the organization's management account. An account that is in no organization pays for itself, as
 *  far as we know one that may not ask does too. */
export async function payerOf(session: AwsSession, account: string, signal: AbortSignal): Promise<string> {
  const client = session.client(OrganizationsClient);
  try {
    const { Organization } = await client.send(new DescribeOrganizationCommand({}), { abortSignal: signal });
    return Organization?.MasterAccountId ?? account;
  } catch (error) {
    if (error instanceof AwsFault) return account;
    throw error;
  }
}
