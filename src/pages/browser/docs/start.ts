/** Shows the OpenAPI document with Swagger UI, which the page loads first. */

declare const SwaggerUIBundle: (options: {
  readonly url: string;
  readonly dom_id: string;
  readonly deepLinking: boolean;
  readonly docExpansion: 'none';
}) => unknown;

// Closed but for what the address names: of an open list Swagger UI draws only the part in sight, and a link misses its
// place there if the drawing takes long.
SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none' });

export {};
