-- What the database knows of the server that writes it, as the fingerprint of its seed secret.
CREATE TABLE marks (
  name  text PRIMARY KEY,
  value text NOT NULL
);
