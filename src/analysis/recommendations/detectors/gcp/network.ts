import { detectorsOf, irreversible } from '../detector.ts';
import { amountOf } from '../figures.ts';
import { sh } from '../script.ts';
import { recentQuantityOf, usageOf, wholeOf } from '../subject.ts';
import { isCompute, placeOption } from './names.ts';

const idleAddress = /^Static Ip Charge/i;

export const gcpNetwork = detectorsOf('gcp', [
  {
    // Google bills an address on this SKU while it is not in use.
    type: 'gcp_ip_idle',
    summary: 'Unused static IP address',
    title: ({ name }) => `Release the idle IP address ${name}`,
    description:
      'This reserved address is not in use. A released address cannot be recovered: check DNS records and ' +
      'partner allow lists first.',
    confidence: 'high',
    method: 'observed',
    find(subject, { window }) {
      const usage = usageOf(subject, idleAddress);
      // An address that is now in use still has idle hours in the window. The window has 336 hours, but bills may lack the last
      // two days.
      if (subject.metadata.attachedTo || recentQuantityOf(subject, idleAddress) < amountOf('288')) return null;
      return { savings: wholeOf(usage, window), evidence: { sku: usage[0]?.meter ?? '' } };
    },
    script: irreversible('Release the address', ({ nativeId, region, subAccount }, name) =>
      [
        sh`gcloud compute addresses delete ${name} --project=${subAccount}`,
        placeOption(nativeId) ?? sh`--region=${region}`,
      ].join(' '),
    ),
  },
  {
    // Uptime (`Networking Cloud Nat Gateway Uptime`, `Networking Cloud NAT IP Usage`) and data have different SKUs.
    type: 'gcp_cloud_nat_idle',
    summary: 'Cloud NAT gateway without traffic',
    title: ({ name }) => `Delete the idle Cloud NAT gateway ${name}`,
    description:
      'No traffic passed through this gateway for 14 days, but its hours are billed. Check first ' +
      'whether the VMs behind it need it occasionally, for example for updates.',
    confidence: 'medium',
    method: 'observed',
    find(subject, { window }) {
      const usage = usageOf(subject, /\bNAT (Gateway Uptime|IP Usage)/i);
      if (!usage.some(({ days }) => days >= 14)) return null;
      if (recentQuantityOf(subject, /\bNAT Data Process/i) > 0n) return null;
      return { savings: wholeOf(usage, window), evidence: { idle_days: 14, data_processed: 0 } };
    },
    script: irreversible('Delete the gateway; its router is kept', ({ nativeId, subAccount }) => {
      const [, router] = /\/routers\/([^/]+)/.exec(nativeId) ?? [];
      const place = placeOption(nativeId);
      if (router === undefined || place === null) return null;
      const of = `${sh`--router=${router} --project=${subAccount}`} ${place}`;
      return [
        `nat=$(gcloud compute routers nats list ${of} '--format=value(name)') &&`,
        `gcloud compute routers nats delete "$nat" ${of} --quiet`,
      ].join('\n');
    }),
  },
  {
    // Hours and data have different SKUs.
    type: 'gcp_forwarding_rule_idle',
    summary: 'Load balancer whose forwarding rule has no traffic',
    title: ({ name }) => `Delete the idle forwarding rule ${name}`,
    description:
      'No traffic passed through this forwarding rule for 14 days, but its hours are billed. Check for ' +
      'DNS records that point to its address first.',
    confidence: 'medium',
    method: 'observed',
    find(subject, { window }) {
      const { nativeId, metadata } = subject;
      const isRule = isCompute(nativeId, 'forwardingRules') || isCompute(nativeId, 'globalForwardingRules');
      const usage = usageOf(subject, /Forwarding Rule/i);
      if (!isRule || !usage.some(({ days }) => days >= 14)) return null;
      const data = /Data Process(ed|ing)|Inbound Data|Outbound Data|Requests/i;
      if (recentQuantityOf(subject, data) > 0n) return null;
      return {
        savings: wholeOf(usage, window),
        confidence: metadata.usedByCount === 0 ? 'high' : 'medium',
        evidence: { idle_days: 14, data_processed: 0, used_by_count: metadata.usedByCount ?? null },
      };
    },
    script: irreversible('Delete the forwarding rule; its backends are kept', ({ nativeId, subAccount }, name) => {
      const place = placeOption(nativeId);
      const command = sh`gcloud compute forwarding-rules delete ${name} --project=${subAccount}`;
      return place && `${command} ${place} --quiet`;
    }),
  },
]);
