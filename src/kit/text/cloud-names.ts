// Rules for the names that connect accounts: one for the API and the form of the console.

/** Rule for a text. */
export interface Rule {
  readonly pattern: RegExp;
  /** In characters, if the pattern has no limit. */
  readonly maxLength?: number;
  /** JSON Schema format of this pattern. */
  readonly format?: 'uuid';
  /** Completes "must be …". */
  readonly says: string;
}

/** Rules for AWS names, as in AWS's documentation. */
export const awsRules = {
  accountId: { pattern: /^\d{12}$/, says: 'an AWS account id of 12 digits' },
  roleArn: {
    pattern: /^arn:aws(-[a-z]{2,3}){0,3}:iam::\d{12}:role\/(?!.*\/\/)[\w+=,.@/-]{1,576}$/,
    says: 'the ARN of an IAM role, such as arn:aws:iam::123456789012:role/costkeep',
  },
  roleName: { pattern: /^[\w+=,.@-]{1,64}$/, says: 'the name of an IAM role' },
  accessKeyId: { pattern: /^A[KS]IA[A-Z0-9]{12,124}$/, says: 'an access key id, which begins with AKIA or ASIA' },
  // Base64 tokens, and any secret of S3-compatible stores: printable and without spaces.
  secret: { pattern: /^[!-~]{1,512}$/, says: 'the secret access key as it was shown once' },
  sessionToken: { pattern: /^[!-~]{1,8192}$/, says: 'the session token of temporary keys' },
  bucket: {
    pattern: /^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z\d][a-z\d.-]{1,61}[a-z\d]$/,
    says: 'the name of a bucket: 3 to 63 lowercase letters, digits, dots and hyphens',
  },
  exportName: {
    pattern: /^(?!\.+$)[\dA-Za-z!_.'()-]{1,128}$/,
    says: "the name of the Data Export: up to 128 letters, digits and !_.'()-",
  },
  region: { pattern: /^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/, says: 'a region such as us-east-1' },
  kmsKey: {
    pattern: /^arn:aws(-[a-z]{2,3}){0,3}:kms:[a-z\d-]{5,30}:\d{12}:key\/[\da-z-]{10,80}$/,
    says: 'the ARN of a KMS key, such as arn:aws:kms:us-east-1:123456789012:key/…',
  },
} as const satisfies Record<string, Rule>;

/** A UUID in upper or lower case, as Azure's ids are. */
export const guid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const example = '00000000-0000-0000-0000-000000000000';

/** Rules for Azure names, as in Azure's documentation. */
export const azureRules = {
  tenantId: { pattern: guid, format: 'uuid', says: `the directory (tenant) id, such as ${example}` },
  clientId: { pattern: guid, format: 'uuid', says: `the application (client) id, such as ${example}` },
  clientSecret: { pattern: /^[!-~]{8,512}$/, says: 'the value of a client secret, as it was shown once' },
  subscriptionId: { pattern: guid, format: 'uuid', says: `a subscription id, such as ${example}` },
  billingScope: {
    pattern:
      /^\/providers\/Microsoft\.Billing\/billingAccounts\/(?!\.)[\w:.-]{1,128}(\/(billingProfiles|invoiceSections|departments|enrollmentAccounts|customers)\/(?!\.)[\w:.-]{1,128}){0,2}$/i,
    maxLength: 512,
    says: 'the resource id of a billing account, or of a profile, section, department or enrollment account below one: /providers/Microsoft.Billing/billingAccounts/…',
  },
  // Strict, because it becomes a host name.
  storageAccount: {
    pattern: /^[a-z0-9]{3,24}$/,
    says: 'the name of a storage account, 3 to 24 lowercase letters and digits; no URL and no SAS token',
  },
  container: {
    pattern: /^(?!.*--)[a-z\d][a-z\d-]{1,61}[a-z\d]$/,
    says: 'the name of a container: 3 to 63 lowercase letters, digits and single hyphens; no URL and no SAS token',
  },
} as const satisfies Record<string, Rule>;
