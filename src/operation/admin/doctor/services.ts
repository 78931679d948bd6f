import { setGlobalProxyFromEnv } from 'node:http';
import { createTransport } from 'nodemailer';
import type { Config } from '../../../kit/config/config.ts';
import { formatInstant } from '../../../kit/text/format.ts';
import { newestBackup } from '../../backup/scheduled.ts';
import { type Check, failed, ok, orFailed, reasonOf, warning } from './check.ts';

const timeoutMs = 10_000;
const msPerDay = 86_400_000;
/** Clouds reject signatures of requests whose time is further off. */
const signatureMs = 300_000;

/** Checks the services that the configuration names: mail, Redis, backups and clouds.
 *  @param providers those of connected accounts */
export async function serviceChecks(config: Config, providers: readonly string[]): Promise<Check[]> {
  const own = await Promise.all([mail(config), redis(config), backups(config)]);
  return [...own, ...(await clouds(config, providers))];
}

/** Connects and signs in, without sending anything. */
function mail({ smtpUrl, dataDir }: Config): Promise<Check> {
  return orFailed('mail server', 'check SMTP_URL and the mail server', async () => {
    if (smtpUrl === null)
      return warning('mail server', `emails are written to ${dataDir}/outbox`, 'set SMTP_URL to send them');
    const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
    const transport = createTransport({ url: smtpUrl, ...limits });
    await transport.verify().finally(() => transport.close());
    return ok('mail server', `${new URL(smtpUrl).host} accepts connections`);
  });
}

async function redis({ redisUrl }: Config): Promise<Check> {
  if (redisUrl === null) return ok('Redis', 'not used: requests are counted in each server');
  return orFailed('Redis', 'check REDIS_URL; until then, each server counts requests separately', async () => {
    const { createClient } = await import('redis');
    const client = createClient({
      url: redisUrl,
      RESP: 2,
      socket: { connectTimeout: timeoutMs, reconnectStrategy: false },
    });
    client.on('error', () => {}); // `connect` reports it
    try {
      await client.connect();
      await client.ping();
      return ok('Redis', 'it responds');
    } finally {
      client.destroy();
    }
  });
}

function backups(config: Config): Promise<Check> {
  return orFailed('backups', 'check BACKUP_URL', async () => {
    const { cron, url } = config.backup;
    if (url === null || cron === null)
      return warning(
        'backups',
        'none are scheduled',
        'set BACKUP_CRON and BACKUP_URL, or schedule "npm run backup" by other means',
      );
    const newest = await newestBackup(config);
    if (newest === null)
      return warning('backups', `there is none in ${url} yet`, 'wait for the first one, and check the log');
    const detail = `the newest is from ${formatInstant(newest.at)}`;
    if (Date.now() - newest.at.getTime() < 8 * msPerDay) return ok('backups', detail);
    return failed('backups', detail, 'find "Job failed" of the task "backup" in the log of the server');
  });
}

/** Checks the clouds through the proxy of the processes that call them. */
async function clouds({ clouds: endpoints, connectorEnvironment }: Config, providers: readonly string[]) {
  const { awsEndpoint, s3Endpoint, azureLoginEndpoint, googleEndpoint } = endpoints;
  const addresses: Readonly<Record<string, string>> = {
    aws: awsEndpoint ?? s3Endpoint ?? 'https://sts.amazonaws.com',
    azure: azureLoginEndpoint,
    gcp: googleEndpoint ?? 'https://oauth2.googleapis.com',
  };
  const leaveProxy = setGlobalProxyFromEnv({ ...connectorEnvironment });
  try {
    return await Promise.all(
      providers.flatMap((provider) => {
        const address = addresses[provider];
        return address === undefined ? [] : [cloud(provider, address)];
      }),
    );
  } finally {
    leaveProxy();
  }
}

/** Any response shows that it can be reached; its date shows whether our clock is right. */
async function cloud(provider: string, address: string): Promise<Check> {
  const name = `cloud ${provider}`;
  try {
    const response = await fetch(address, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const date = Date.parse(response.headers.get('date') ?? '');
    const off = Number.isNaN(date) ? 0 : Math.abs(Date.now() - date);
    const detail = `${new URL(address).host} responds`;
    if (off < signatureMs) return ok(name, detail);
    return failed(name, `${detail}; its clock differs by ${Math.round(off / 1000)} s`, 'synchronize the clock (NTP)');
  } catch (error) {
    return failed(
      name,
      `${new URL(address).host} cannot be reached: ${reasonOf(error)}`,
      'check the network, the proxy and the firewall',
    );
  }
}
