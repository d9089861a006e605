-- Names look alike whatever accents, signs and spaces they wear: the looks of all are worked out anew at the next start.
UPDATE users SET username_look = NULL, display_look = NULL WHERE username_look IS NOT NULL;
