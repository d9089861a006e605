-- What goes out to everybody.

-- The events of all public games, in their order: changes of games and of ratings, without those of applications.
CREATE INDEX events_public_idx ON events (tide, id)
  WHERE application_id IS NULL AND coalesce(type, 'ratingChanged') = 'ratingChanged' AND steps IS DISTINCT FROM 0;
