import { awsPermissions } from './permissions.ts';
import { AppError } from '../../kit/errors/errors.ts';
import { TryLater } from '../faults.ts';
import { explained } from './faults.ts';

/** SDK clients by the prefix of their permissions. */
const clients: Readonly<Record<string, string>> = {
  ce: 'CostExplorerClient',
  ec2: 'EC2Client',
  elasticache: 'ElastiCacheClient',
  es: 'OpenSearchClient',
  organizations: 'OrganizationsClient',
  rds: 'RDSClient',
  redshift: 'RedshiftClient',
  'resource-explorer-2': 'ResourceExplorer2Client',
  s3: 'S3Client',
  savingsplans: 'SavingsplansClient',
  tag: 'ResourceGroupsTaggingAPIClient',
};

/** The operations that our clients may send, with the required permission; null: none. Anything else is rejected before it
 *  reaches the network, so that not even a bug of ours can change anything. */
export const allowedOperations: Readonly<Record<string, string | null>> = {
  // Allowed by the role's own trust policy.
  'STSClient.AssumeRoleCommand': null,
  'STSClient.GetCallerIdentityCommand': null,
  ...Object.fromEntries(
    awsPermissions.flatMap(({ permission, operation = permission.split(':')[1] }) => {
      const client = clients[permission.split(':')[0] ?? ''];
      return client && operation ? [[`${client}.${operation}Command`, permission]] : [];
    }),
  ),
};

type Handler = (args: never) => Promise<unknown>;

/** The part of an SDK client that we use. */
export interface GuardedClient {
  readonly middlewareStack: {
    add(middleware: never, options: { step: 'initialize'; name: string; priority: 'high' | 'normal' }): void;
  };
  destroy(): void;
}

/** Adds a middleware around all operations of a client. The SDK types middleware by every input and output of the service; ours
 *  uses neither. */
export function add(client: GuardedClient, middleware: object, name: string, priority: 'high' | 'normal'): void {
  client.middlewareStack.add(middleware as never, { step: 'initialize', name, priority });
}

/** Restricts a client to the allowed operations, and strips its request from errors. */
export function guard<T extends GuardedClient>(client: T, uses: 'role' | 'keys'): T {
  const middleware = (next: Handler, context: { clientName?: string; commandName?: string }) => async (args: never) => {
    const { clientName = '', commandName = '' } = context;
    if (!Object.hasOwn(allowedOperations, `${clientName}.${commandName}`)) throw forbidden(clientName, commandName);
    try {
      return await next(args);
    } catch (error) {
      if (error instanceof AppError || error instanceof TryLater) throw error;
      if (error instanceof Error && error.name === 'AbortError') throw new DOMException('Aborted', 'AbortError');
      throw explained(error, clientName.replace(/Client$/, ''), commandName.replace(/Command$/, ''), uses);
    }
  };
  add(client, middleware, 'costkeepGuard', 'high');
  return client;
}

function forbidden(client: string, command: string): Error {
  return new Error(`${client} may not send ${command}: it is not on the list of allowed operations`);
}
