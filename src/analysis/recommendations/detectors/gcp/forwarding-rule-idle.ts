import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { recentQuantityOf, shortId, usageOf } from '../../subject.ts';
import { isCompute, placeOption } from './full-name.ts';

/** Days without a byte after which a rule counts as idle. */
const idleDays = 14;
const rule = /Forwarding Rule/i;
const data = /Data Process(ed|ing)|Inbound Data|Outbound Data|Requests/i;

/** A forwarding rule of a load balancer is billed by the hour, and what passes through it on other SKUs. Catalogue 74. */
export const forwardingRuleIdle: Detector = {
  type: 'gcp_forwarding_rule_idle',
  summary: 'Load balancer whose forwarding rule has no traffic',
  provider: 'gcp',
  about: 'resource',
  detect(subject, { window }) {
    const { usedByCount } = subject.metadata;
    const isRule =
      isCompute(subject.nativeId, 'forwardingRules') || isCompute(subject.nativeId, 'globalForwardingRules');
    const usage = usageOf(subject, rule);
    if (!isRule || !usage.some(({ days }) => days >= idleDays)) return null;
    if (recentQuantityOf(subject, data) > 0n) return null;
    return {
      title: `Delete the idle forwarding rule ${subject.name}`,
      description:
        `No traffic passed through this forwarding rule for ${idleDays} days, but its hours are billed. Check for ` +
        'DNS records that point to its address first.',
      savings: wholeOf(usage, window),
      confidence: usedByCount === 0 ? 'high' : 'medium',
      method: 'observed',
      evidence: { idle_days: idleDays, data_processed: 0, used_by_count: usedByCount ?? null },
      scripts: () => {
        const place = placeOption(subject.nativeId);
        if (place === null) return [];
        const command = sh`gcloud compute forwarding-rules delete ${shortId(subject.nativeId)} --project=${subject.subAccount}`;
        return [
          {
            kind: 'gcloud',
            title: 'Delete the forwarding rule; its backends are kept',
            script: `${command} ${place} --quiet`,
            reversible: false,
          },
        ];
      },
    };
  },
};
