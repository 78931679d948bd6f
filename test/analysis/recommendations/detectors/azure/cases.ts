import { aSubject, type Case } from '../../subject.ts';

const group = '/subscriptions/s-1/resourcegroups/legacy/providers';

/** For each detector of Azure a subject that it finds something on. */
export const azureCases = {
  azure_public_ip_orphan: {
    subject: aSubject({
      provider: 'azure',
      nativeId: `${group}/microsoft.network/publicipaddresses/old-vpn-ip`,
      metadata: { attachedTo: null },
      usage: [{ meter: 'Standard IPv4 Static Public IP', cost: '3' }],
    }),
  },
} satisfies Record<string, Case>;
