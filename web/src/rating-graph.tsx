import { day } from './reading.js';

/** A rating over time as a line, with one deviation up and down as a band. Its words stand beside it, so that they keep their size. */

export interface Point {
  readonly at: string;
  readonly rating: number;
  readonly deviation: number;
}

/** The drawing is stretched to the room that there is. */
const WIDE = 1000;
const HIGH = 400;
/** What the graph shows at least, so that small changes look small. */
const LEAST = 100;

interface Props {
  /** The oldest first; at least one. */
  readonly points: readonly Point[];
  readonly label: string;
}

export function RatingGraph({ points, label }: Props) {
  const lowest = Math.min(...points.map(({ rating, deviation }) => rating - deviation));
  const highest = Math.max(...points.map(({ rating, deviation }) => rating + deviation));
  const middle = (lowest + highest) / 2;
  const reach = Math.max(highest - lowest, LEAST) / 2;
  const from = Date.parse(points[0]!.at);
  const until = Date.parse(points.at(-1)!.at);
  const x = ({ at }: Point) =>
    until === from ? WIDE / 2 : ((Date.parse(at) - from) / (until - from)) * WIDE;
  const y = (rating: number) => HIGH / 2 - ((rating - middle) / reach) * (HIGH / 2);
  const at = (point: Point, rating: number) => `${x(point).toFixed(1)},${y(rating).toFixed(1)}`;
  const line = points.map((point) => at(point, point.rating));
  const upper = points.map((point) => at(point, point.rating + point.deviation));
  const lower = points.map((point) => at(point, point.rating - point.deviation)).reverse();
  return (
    <div class="graph">
      <span class="scale" aria-hidden="true">
        {[middle + reach, middle, middle - reach].map((rating) => (
          <span key={rating}>{Math.round(rating)}</span>
        ))}
      </span>
      <svg role="img" aria-label={label} viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none">
        {[0, HIGH / 2, HIGH].map((height) => (
          <path key={height} class="grid" d={`M0 ${height}H${WIDE}`} />
        ))}
        <polygon class="band" points={[...upper, ...lower].join(' ')} />
        {/* One game is a dot: a line from a point to itself. */}
        <polyline
          class={line.length === 1 ? 'line dot' : 'line'}
          points={(line.length === 1 ? [...line, ...line] : line).join(' ')}
        />
      </svg>
      <span class="times" aria-hidden="true">
        <span>{day(points[0]!.at)}</span>
        {points.length > 1 && <span>{day(points.at(-1)!.at)}</span>}
      </span>
    </div>
  );
}
