"""Features that several editions share and opt into."""
