"""Parquet files of invented biographies, as pyarrow 26 wrote them; in Base85."""

from __future__ import annotations

SNAPPY = (
    "P(e~L6$BNK1QoIYOce+f01^NIhyu7i0000<ZgypEbY)~9Vrg$@a$#_2c_40eZDM6|ATS_wWo&G7Aa7<McW-iQEFb{}Bp_jKWFT#C"
    "a%CU^4gfB8LI40U?m_?sLI5)ELI4Fq05gh002Kfg6crdO6$lj&6$TXs8~^|S3M2vm000O90t4g#6$BMP6*Np02o(Sl001BW01W{E"
    "0SyQ|0ssI2000000{{R3000006#x|!6&NfP2o(?&1{DSz0000ABmw{c00;pB1LOb|1Qj3^Buo_q6#x<d01!L?000000000100000"
    "0000L02LAy7AzGA6%Z8$6$Tst000Rf0ssI22mt{D3KawyOf>))26JO*Wo=;<1^^WdB?1@;Xkl_>Uvy=7bR_^x8~^|S6$B*$7z%K5"
    "Z)Rn4b7^mG02Kr!0vHBoWo~3;asU<x85|irCIB223>h^51`rt-320$*WM6b;cytv476=yV1Qw72CfWfe2q`QT1Qh@k0ss{N6%Z8y"
    "06Z4(0~rPxCIAQk001Tc92Eo^H2?+>85jz1a&Km3b8~5LZWRI+2o{zB7LEZX=mI8~0x2vN1Qh@k0ss{N6%Z8y06ZxM872S-0000c"
    "02~zr88rX~5E&Q-XJu|=WpWh)76=w}7JMe=116>eDJ&HP6#x|i02Kfg5ETLdJShelCIAQk000*B1{Me=2o{<I04N}EVRCVGWppiL"
    "aBwYQa&m8XAa-SPb7^mGATl;CFfK6}JRAT38~^|u0000&0RR9{K~ga"
)
GZIP_2 = (
    "P(e~L6$BNG0~N9XOce$d01^NIABzY8000000t2&SU|{gfD@)BQNlj5m%FItMN-W5zRLCpMO-e0NFi<E-&B-ZN$WK!!&o9c>0h0=e"
    "c_|9H`9-N<o}L|E6O1S}!I%gW03bY1GsXY_02Kxm3>6Gq6$ljq6$lj&6$BLk5*z>k00RvI10(<y1QkFPK1>w|6#x<d03VA800000"
    "00IMJV1NKdD9r?=nV~cQ3K9U3AOHXW6$TXy6%1Sz2o(So2o(?&1Qh@h8~^|S2mt~E<Ny@}6(AKfOcewb01^NIABzY8000000s~`U"
    "fB;4)4FJna5g-r%000#R6$%v!Toniv02K%o5ETR!01_Mk000O90RsvZ1Q|><02l^yV`yb<VHE}d6$~W;7zt=$a%5k0Wq5QY08AVJ"
    "000#PB?1@<aB^>EWpi_BZ*Bk;1SJ9(24`h%WMy&y76=&}89XKc92E>1H2?+>85jv@VRB?&bY*yS6$BOt7U%;Ojshmy0VW73EENP5"
    "02KlN6#x|w6#@V}7W4uc1{o#-1^@s6CIB221Q|5|1`rt-3UG37W@U48X>V>71QrMum;n}+0VePQCYAyzEENP502KlN6#x|w6#@V}"
    "DFzuP00;m8044w&6$BYI00s~l7zSr$Ze(S06$BOt7Iqej0VezdCaeP~EENP502KlN6#x|w6#@V}DFzuP00;m802cNI76>K?7On&U"
    "C?IfQa&dKKbS-0Wa4lhSa&LDac4cyNX>V>IGBz$SE-@KA8~^|u000~S002V)002-yQZW"
)
PLAIN = (
    "P(e~L6#x~S1QnbFEENb902Kxm1{?qY00IC200;p-0000<ZgypEbY)~9Vrg$@a$#_2c_40eZDM6|ATS_wWo&G7Aa7<McW-iQEFgDp"
    "a%&)AZe$>BZ*pZIcW-iQE<OMN07-6kWo~q3WFTT`Z)b90aA<iTZgp*9WpW@fAarGHY;z!QW*~QOa%(IgcW-iQAYpD~AZ>4QWgvHN"
    "a%(O=0000<ZgypEbY)~9Vrg$@a$#_2c_40eZDM6|ATl6yWo&G7Aa7<McW-iQEFgDpa%&)AZe$>BZ*pZIcW-iQE<OMN07-6kWo~q3"
    "WFTT`Z)b90aA<iTZgp*9WpW@hAarGHY;z!QW*~QOa%(IgcW-iQAYpD~AZ>4QWgvHNa%(OX02NFXOe_@$6#x|m6$Tst00062000O9"
    "00000000000RR91000000ssI2000000{{R3000006#x}X6-+D@2o(So1{DSz00002000080RR910000000961000000000000000"
    "009610000002KroOf>))26JO*Wo=;<1^^WdB?1@;Xkl_>Uvy=7bR_^x8~^|S6$B*$7z%K5Z)Rn4b7^mG02Kr!0vHBoWo~3;asU<x"
    "85|irCIB223>hT`02vqwXkl_>Uvy=7bQJ&=2o}Z!7RCf72uU0j02Kfg0suS~@B<kJ872S-0000c02~zr86^e)85jz1a&Km3b8~5L"
    "ZWRC)2o`b{awg6MNgNdb6#x|i06ZxM872S-0000c02~zr86^e)85jm<Wo~3;auom;2o`b{awfn9NgNdb6#x|i06ZxM872S-0000M"
    "ss<JaCI}X)1^_4^aA9(Bb!BudV{mXSVRCYBcOZ6Ua&u{KZXhx?E-)@J89W>S02}}S8~^|S9{~UWP(e~L"
)
ZSTANDARD = (
    "P(e~L6$BNC0u`VEOcewb01^NID77#BAcQ>v0F(nh0000<ZgypEbY)~9Vrg$@a$#_2c_40eZDM6|ATS_wWo&G7Aa7<McW-iQEFfWS"
    "WFT#Ca%C<t1OR}PB8VGPj&qeV6#x|y6(lSb1Qie!1{DSz0000ewJ-f32}u9|0ssI21OWj90u=-mAQdu96$BLk5&!@wwJ-f35P<*y"
    "00000000000RR91000006#x|y6(lSb1Qie!1{DSz0000ewJ-f32}u9|0ssI21OWj90u=-mAQdu96$BLk5&!@wwJ-f35P<*y00000"
    "000000RR91000006#x|y6(lSb1Qie!1{DSz0000ewJ-f32}u9|0ssI21OWj90u=-qOf>))26JO*Wo=;<1^^WdB?1@;Xkl_>Uvy=7"
    "bR_^x8~^|S6$B*$7z%K5Z)Rn4b7^mG02Kr!0vHBoWo~3;asU<t85|irCIB223>h^51`rt-320$*WM6b;cytvE76caH0v3t_CddIM"
    "2q`QT1Qh@k0ss{N6%Z8y06Z4>0T~7vCIAEg001Tc92Eo^H2?+>85jz1a&Km3b8~5LZWRm`1Qv7_m;ol>0w$6IDJ&HP6#x|i02Kfg"
    "5ETLdJShelCIAEg001Tc92Eo^H2?+>85jm<Wo~3;auo~~1Qv7_m;omE1172iDJ&HP6#x|i02Kfg5ETLdJShelCIAEg000)q1QrA)"
    "2o|~o04N}EVRCVGWppiLaBwYQa&m8XAa-SPb7^mGATl;CFfK6}JRAT38~^|u0000&0RR9{K~ga"
)
