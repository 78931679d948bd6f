import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { usageOf } from '../../subject.ts';

/** Services beside RDS whose engines have paid extended support. */
export const otherEngines = /OpenSearch|Elasticsearch|ElastiCache|DocumentDB|Neptune/i;

/** As with RDS: versions past their standard support cost extra. Catalogue 31. */
export const engineExtendedSupport: Detector = {
  type: 'aws_engine_extended_support',
  summary: 'OpenSearch, ElastiCache, DocumentDB or Neptune in paid extended support',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /Extended-?Support/i).filter(({ service }) => otherEngines.test(service));
    if (usage.length === 0) return null;
    return {
      title: `Upgrade the engine version of ${subject.name}`,
      description:
        'The engine version is past the end of standard support, and AWS charges extra for it. Upgrades of search ' +
        'domains and caches cannot be undone: test them on a copy first.',
      savings: wholeOf(usage, window),
      confidence: 'high',
      method: 'observed',
      evidence: { meter: usage[0]?.meter ?? '', service: usage[0]?.service ?? '' },
      scripts: () => [],
    };
  },
};
