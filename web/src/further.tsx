import { useState } from 'preact/hooks';
import { faultOf } from './form.js';

interface FurtherProps {
  readonly label: string;
  readonly onMore: () => Promise<void>;
}

/** Adds to a list, and says so if it cannot. */
export function Further({ label, onMore }: FurtherProps) {
  const [fault, setFault] = useState<string | null>(null);
  const add = () => {
    setFault(null);
    onMore().catch((error) => setFault(faultOf(error).message));
  };
  return (
    <>
      <p role="alert" class="fault">
        {fault}
      </p>
      <p>
        <button type="button" class="second" onClick={add}>
          {label}
        </button>
      </p>
    </>
  );
}
