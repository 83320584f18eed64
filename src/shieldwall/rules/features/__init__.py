"""What some editions share and opt into."""
