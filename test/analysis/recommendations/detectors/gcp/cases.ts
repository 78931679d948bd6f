import { aSubject, type Case } from '../../subject.ts';

/** For each detector of Google Cloud a subject that it finds something on. */
export const gcpCases = {
  gcp_ip_idle: {
    subject: aSubject({
      provider: 'gcp',
      nativeId: '//compute.googleapis.com/projects/dev/regions/europe-west1/addresses/old-vpn',
      region: 'europe-west1',
      subAccount: 'dev',
      usage: [{ meter: 'Static Ip Charge', cost: '7.2' }],
    }),
  },
} satisfies Record<string, Case>;
