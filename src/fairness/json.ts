import commonJs from 'canonicalize';

/** Canonical JSON (RFC 8785). The package exports the function itself (CommonJS) while its types promise a `default`. */
export const canonicalJson = commonJs as unknown as (value: unknown) => string;
