import { type FakeAws, startFakeAws } from '../../support/clouds/aws/fake.ts';
import { stsAnswers } from '../../support/clouds/aws/identity.ts';

export const account = '123456789012';
export const roleArn = `arn:aws:iam::${account}:role/costkeep`;
export const externalId = 'external-id-of-the-organization';
export const keys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};

/** An AWS with one account, accessible by a role and a key. */
export async function startAccount(): Promise<FakeAws> {
  return startFakeAws(stsAnswers({ roles: { [roleArn]: externalId }, keys: { [keys.accessKeyId]: account } }));
}
