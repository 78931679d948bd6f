import type { AwsAnswer, AwsAnswers } from './fake.ts';

/** The identities that can sign in. */
export interface Identities {
  /** The external id that each role's trust policy requires, by role ARN; `*` for any, null for none. */
  readonly roles?: Readonly<Record<string, string | null>>;
  /** Account by access key. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Duration of a role session in ms. */
  readonly sessionMs?: number;
}

/** The Security Token Service: lets the server's identity assume a role with the right external id. */
export function stsAnswers({ roles = {}, keys = {}, sessionMs = 3_600_000 }: Identities): AwsAnswers {
  return {
    'sts.AssumeRole': ({ params }) => {
      const role = String(params['RoleArn']);
      if (!trusts(roles[role], params['ExternalId']))
        return stsError(
          403,
          'AccessDenied',
          `User: arn:aws:iam::999999999999:user/costkeep is not authorized to perform: sts:AssumeRole on resource: ${role}`,
        );
      return stsXml('AssumeRole', credentialsXml(role, new Date(Date.now() + sessionMs)));
    },
    'sts.GetCallerIdentity': ({ accessKeyId }) => {
      const account = keys[accessKeyId] ?? /^ASIA(\d{12})$/.exec(accessKeyId)?.[1];
      if (account === undefined)
        return stsError(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.');
      return stsXml(
        'GetCallerIdentity',
        `<Arn>arn:aws:iam::${account}:user/DevAdmin</Arn><UserId>AIDASAMPLEUSERID</UserId><Account>${account}</Account>`,
      );
    },
  };
}

function trusts(asked: string | null | undefined, given: unknown): boolean {
  if (asked === '*') return given !== undefined;
  return asked === null || (asked !== undefined && asked === given);
}

function credentialsXml(role: string, expiration: Date): string {
  const account = role.split(':')[4] ?? '';
  return (
    `<AssumedRoleUser><AssumedRoleId>AROA3XFRBF535PLBIFPI4:costkeep</AssumedRoleId><Arn>${role}/costkeep</Arn></AssumedRoleUser>` +
    `<Credentials><AccessKeyId>ASIA${account}</AccessKeyId><SecretAccessKey>9drTJvcXLB89EXAMPLELB8923FB892xMFI</SecretAccessKey>` +
    `<SessionToken>session-of-${account}</SessionToken><Expiration>${expiration.toISOString()}</Expiration></Credentials>`
  );
}

function stsXml(operation: string, result: string): AwsAnswer {
  return {
    xml: `<${operation}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${operation}Result>${result}</${operation}Result><ResponseMetadata><RequestId>fake</RequestId></ResponseMetadata></${operation}Response>`,
  };
}

function stsError(status: number, code: string, message: string): AwsAnswer {
  return {
    status,
    xml: `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>fake</RequestId></ErrorResponse>`,
  };
}
