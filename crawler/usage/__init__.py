"""What commands say of how they are used, and how they ended.
May import no other room."""
